// SPDX-License-Identifier: MIT

import AQCodecs
import AudioToolbox
import CoreAudioTypes
import Foundation
import AQThreads

/// The decoded audio of a file, from any frame on, for one reader at a time.
///
/// The frames are interleaved 32-bit floats at the file's rate. Mono becomes two equal channels, so that it can be
/// panned while it plays.
final class PlayerSource: Sendable {
    private struct Access {
        let transfer: FileTransfer
        /// The number of the reader that began last. Others read nothing.
        var reader = 0
    }

    /// The format of the audio in the file.
    let fileFormat: AVAudioFormat
    /// The number of frames in the file.
    let length: AVAudioFramePosition
    /// The format of the frames that are read.
    let format: AudioStreamBasicDescription
    let channelLabels: [AudioChannelLabel]?
    private let fileChannels: Int
    private let access: Monitor<Access>
    /// The file, if the client's audio is not in a file.
    private let copy: TemporaryCopy?

    /// - Throws: As ``AVAudioFile/init(forReading:)``.
    init(contentsOf url: URL, copy: TemporaryCopy? = nil) throws {
        let transfer = try FileTransfer(reading: url)
        let fileFormat = transfer.fileFormat
        try transfer.setClientFormat(
            FileTransfer.processingFormat(.pcmFormatFloat32, isInterleaved: true, of: fileFormat))
        let channels = Int(fileFormat.channelCount)
        fileChannels = channels
        format = .float(channels: max(channels, 2), sampleRate: fileFormat.sampleRate)
        // Decoders have an order of their own.
        channelLabels =
            channels > 2
            ? fileFormat.channelLayout.map {
                DecodedChannelOrder.labels($0.channels.labels, inPacketsOf: fileFormat.asbd)
            } : nil
        length = transfer.length
        self.fileFormat = fileFormat
        self.copy = copy
        access = Monitor(Access(transfer: transfer))
    }

    /// - Throws: As ``AVAudioFile/init(forReading:)``.
    convenience init(data: Data) throws {
        let copy = try TemporaryCopy(data)
        do {
            try self.init(contentsOf: copy.url, copy: copy)
        } catch {
            // The name of the temporary file would not help the user.
            let status = OSStatus(truncatingIfNeeded: (error as NSError).code)
            throw AVAudioFailure.error(status, "cannot open the data: \(AVAudioFailure.text(status))")
        }
    }

    /// Moves to a frame for a new reader.
    ///
    /// - Returns: The number of the reader.
    func begin(at frame: AVAudioFramePosition) -> Int {
        access.withLock { access in
            access.reader += 1
            access.transfer.seek(to: frame)
            return access.reader
        }
    }

    /// Moves a reader to the first frame.
    ///
    /// - Returns: False if another reader has begun since.
    func rewind(_ reader: Int) -> Bool {
        access.withLock { access in
            guard access.reader == reader else { return false }
            access.transfer.seek(to: 0)
            return true
        }
    }

    /// Reads the next frames.
    ///
    /// - Parameter memory: Room for whole frames, aligned for floats.
    /// - Returns: The number of frames, 0 at the end; nil if another reader has begun since.
    /// - Throws: The error of the file or the decoder.
    func read(_ reader: Int, into memory: UnsafeMutableRawBufferPointer) throws -> Int? {
        try access.withLock { (access: inout Access) throws -> Int? in
            guard access.reader == reader else { return nil }
            let frames = memory.count / Int(format.mBytesPerFrame)
            var list = unsafe AudioBufferList(
                mNumberBuffers: 1,
                mBuffers: AudioBuffer(
                    mNumberChannels: UInt32(fileChannels),
                    mDataByteSize: UInt32(frames * fileChannels * MemoryLayout<Float>.size),
                    mData: memory.baseAddress))
            let count = try unsafe Int(access.transfer.read(AVAudioFrameCount(frames), into: &list))
            if fileChannels == 1 { unsafe Self.spread(memory, frames: count) }
            return count
        }
    }

    /// Makes two channels of one, in place.
    private static func spread(_ memory: UnsafeMutableRawBufferPointer, frames: Int) {
        let size = MemoryLayout<Float>.size
        // From the end, so that samples are read before they are overwritten.
        for frame in (0..<frames).reversed() {
            let sample = unsafe memory.load(fromByteOffset: frame * size, as: Float.self)
            unsafe memory.storeBytes(of: sample, toByteOffset: 2 * frame * size, as: Float.self)
            unsafe memory.storeBytes(of: sample, toByteOffset: (2 * frame + 1) * size, as: Float.self)
        }
    }
}
