// SPDX-License-Identifier: MIT

public import AudioToolbox
public import Foundation
import AQThreads

/// A file of audio that is read or written as linear PCM.
///
/// All methods may be called from any thread; calls for one file wait for each other. The file is completed and closed by
/// ``close()``, or when the object is released. While it is written, its header is valid at every moment.
///
/// The corresponding functions of C are those of `ExtAudioFile`.
open class AVAudioFile: NSObject, @unchecked Sendable {
    // SAFETY: constants, and an access that a lock protects.

    public let url: URL
    /// The format of the audio in the file.
    public let fileFormat: AVAudioFormat
    /// The format of buffers that are read or written. Its sample rate is that of the file.
    public let processingFormat: AVAudioFormat
    private let access: Monitor<FileTransfer>

    // MARK: Reading

    /// Opens a file, to be read as 32-bit floats with a buffer for each channel.
    ///
    /// - Throws: `kAudioFileUnspecifiedError` if the file cannot be read, `kAudioFileUnsupportedFileTypeError` if its type
    ///   is unknown, `kAudioFileInvalidFileError` if it is damaged.
    public convenience init(forReading fileURL: URL) throws {
        try self.init(forReading: fileURL, commonFormat: .pcmFormatFloat32, interleaved: false)
    }

    /// Opens a file, to be read in a format.
    ///
    /// - Throws: As ``init(forReading:)``; `kAudio_ParamError` for ``AVAudioCommonFormat/otherFormat``.
    public init(forReading fileURL: URL, commonFormat format: AVAudioCommonFormat, interleaved: Bool) throws {
        let transfer = try FileTransfer(reading: fileURL)
        let processing = try FileTransfer.processingFormat(
            format, isInterleaved: interleaved, of: transfer.fileFormat)
        try transfer.setClientFormat(processing)
        url = fileURL
        fileFormat = transfer.fileFormat
        processingFormat = processing
        access = Monitor(transfer)
        super.init()
    }

    // MARK: Writing

    /// Creates a file, to be written with 32-bit floats with a buffer for each channel. A file of that name is replaced.
    ///
    /// - Parameters:
    ///   - fileURL: The name, whose extension is the type of the file unless the settings have ``AVAudioFileTypeKey``.
    ///   - settings: The format of the file, with a sample rate and a number of channels. Linear PCM is stored
    ///     interleaved. FLAC and Apple Lossless have 24 bits, or those of ``AVEncoderBitDepthHintKey`` or of integers
    ///     that are written. Opus, in files of Ogg, has 8, 12, 16, 24 or 48 kHz.
    /// - Throws: `kAudioFormatUnsupportedDataFormatError` ('fmt?') if the settings or the type of the file have no such
    ///   format, or there is no encoder; `kAudioFileUnsupportedFileTypeError` for an unknown type; the error of creating
    ///   the file.
    public convenience init(forWriting fileURL: URL, settings: [String: Any]) throws {
        try self.init(
            forWriting: fileURL, settings: settings, commonFormat: .pcmFormatFloat32, interleaved: false)
    }

    /// Creates a file, to be written in a format.
    ///
    /// - Throws: As ``init(forWriting:settings:)``; `kAudio_ParamError` for ``AVAudioCommonFormat/otherFormat``.
    public init(
        forWriting fileURL: URL, settings: [String: Any], commonFormat format: AVAudioCommonFormat,
        interleaved: Bool
    ) throws {
        let request = try FileRequest(fileURL, settings)
        let processing = try FileTransfer.processingFormat(
            format, isInterleaved: interleaved, of: request.format)
        let transfer = try FileTransfer(writing: request, from: processing)
        url = fileURL
        fileFormat = transfer.fileFormat
        processingFormat = processing
        access = Monitor(transfer)
        super.init()
    }

    // MARK: Transfers

    /// The number of frames; of a file that is written, the number written so far. 0 after ``close()``.
    open var length: AVAudioFramePosition { access.withLock { $0.length } }

    /// The number of the frame that is read next, or the number of frames written. A file that is written has no other
    /// position: setting it is ignored. Numbers outside the file count as its beginning or end.
    open var framePosition: AVAudioFramePosition {
        get { access.withLock { $0.position } }
        set { access.withLock { $0.seek(to: newValue) } }
    }

    /// Reads as many frames as the buffer has room for, or are left.
    ///
    /// - Throws: As ``read(into:frameCount:)``.
    open func read(into buffer: AVAudioPCMBuffer) throws {
        try read(into: buffer, frameCount: buffer.frameCapacity)
    }

    /// Reads frames, and sets the length of the buffer to their number, which is smaller at the end of the file.
    ///
    /// - Throws: `kAudioFileEndOfFileError` if no frame is left; `kAudio_ParamError` for a buffer of another format than
    ///   ``processingFormat``; `kAudio_FileNotFoundError` after ``close()``; the error of the file.
    open func read(into buffer: AVAudioPCMBuffer, frameCount frames: AVAudioFrameCount) throws {
        buffer.frameLength = 0
        guard buffer.format == processingFormat else {
            throw AVAudioFailure.error(
                kAudio_ParamError, "cannot read '\(url.lastPathComponent)': the buffer has another format")
        }
        let wanted = min(frames, buffer.frameCapacity)
        let count = try access.withLock { transfer in
            try unsafe transfer.read(wanted, into: buffer.mutableAudioBufferList)
        }
        buffer.frameLength = count
        guard count > 0 || wanted == 0 else {
            throw AVAudioFailure.error(
                kAudioFileEndOfFileError, "cannot read '\(url.lastPathComponent)': end of file")
        }
    }

    /// Appends the frames of a buffer.
    ///
    /// - Throws: `kAudio_ParamError` for a buffer of another format than ``processingFormat``;
    ///   `kAudio_FileNotFoundError` after ``close()``; the error of the encoder or of the file.
    open func write(from buffer: AVAudioPCMBuffer) throws {
        guard buffer.format == processingFormat else {
            throw AVAudioFailure.error(
                kAudio_ParamError, "cannot write '\(url.lastPathComponent)': the buffer has another format")
        }
        try access.withLock { transfer in
            try unsafe transfer.write(buffer.frameLength, from: buffer.audioBufferList)
        }
    }

    /// Completes and closes the file. Does nothing the second time.
    open func close() { _ = access.withLock { $0.close() } }

    open var isOpen: Bool { access.withLock { $0.isOpen } }
}
