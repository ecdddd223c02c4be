// SPDX-License-Identifier: MIT

import AudioToolbox
import CoreAudioTypes
import Foundation

/// An open file, and the converter between its format and that of the buffers. Used by one thread at a time.
@safe final class FileTransfer {
    // SAFETY: the reference is disposed of once, and no other code has it.

    private var file: ExtAudioFileRef?
    private let name: String
    private let isWriting: Bool
    private(set) var fileFormat: AVAudioFormat
    private(set) var length: AVAudioFramePosition = 0

    /// Opens a file.
    init(reading url: URL) throws {
        name = url.lastPathComponent
        isWriting = false
        guard url.isFileURL else {
            throw AVAudioFailure.error(
                kAudioFileUnspecifiedError, "cannot open '\(name)': not the name of a local file")
        }
        var opened: ExtAudioFileRef?
        let status = unsafe ExtAudioFileOpenURL(url as AudioToolbox.CFURL, &opened)
        guard status == noErr else {
            throw AVAudioFailure.error(
                Self.openingStatus(status), "cannot open '\(name)': \(AVAudioFailure.text(status))")
        }
        guard let opened = unsafe opened else { throw AVAudioFailure.error(kAudio_MemFullError, "no memory") }
        unsafe file = opened
        do {
            fileFormat = try unsafe Self.format(of: opened, name)
            length = try unsafe Self.value(opened, kExtAudioFileProperty_FileLengthFrames, Int64(0), name)
        } catch {
            unsafe ExtAudioFileDispose(opened)
            throw error
        }
    }

    /// Creates a file.
    init(writing request: FileRequest, from processing: AVAudioFormat) throws {
        name = request.url.lastPathComponent
        isWriting = true
        fileFormat = request.format
        var created: ExtAudioFileRef?
        let status = unsafe ExtAudioFileCreateWithURL(
            request.url as AudioToolbox.CFURL, request.fileType, request.format.streamDescription,
            request.format.channelLayout?.layout, AudioFileFlags.eraseFile.rawValue, &created)
        try AVAudioFailure.check(status, "create '\(request.url.lastPathComponent)'")
        unsafe file = created
        do {
            try setClientFormat(processing)
            try setEncoder(request.settings)
            fileFormat = try unsafe Self.format(of: try open(), name)
        } catch {
            // A file that cannot be written is no use.
            close()
            try? FileManager.default.removeItem(at: request.url)
            throw error
        }
    }

    deinit { close() }

    var isOpen: Bool { unsafe file != nil }

    /// The format of buffers for a file.
    static func processingFormat(
        _ format: AVAudioCommonFormat, isInterleaved: Bool, of file: AVAudioFormat
    ) throws -> AVAudioFormat {
        guard format != .otherFormat else {
            throw AVAudioFailure.error(kAudio_ParamError, "cannot convert to samples of another format")
        }
        if let layout = file.channelLayout {
            return AVAudioFormat(
                commonFormat: format, sampleRate: file.sampleRate, interleaved: isInterleaved,
                channelLayout: layout)
        }
        guard
            let made = AVAudioFormat(
                commonFormat: format, sampleRate: file.sampleRate, channels: file.channelCount,
                interleaved: isInterleaved)
        else { throw AVAudioFailure.error(kAudio_ParamError, "no layout for \(file.channelCount) channels") }
        return made
    }

    /// The status that AVFAudio has for one of opening a file.
    private static func openingStatus(_ status: OSStatus) -> OSStatus {
        switch status {
        case kAudio_FileNotFoundError, kAudioFileFileNotFoundError, kAudioFilePermissionsError,
            kAudio_FilePermissionError, kAudio_BadFilePathError:
            kAudioFileUnspecifiedError
        default: status
        }
    }

    // MARK: Formats

    private func open() throws -> ExtAudioFileRef {
        guard let file = unsafe file else {
            throw AVAudioFailure.error(kAudio_FileNotFoundError, "'\(name)' is closed")
        }
        return unsafe file
    }

    @unsafe private static func format(of file: ExtAudioFileRef, _ name: String) throws -> AVAudioFormat {
        var asbd = try unsafe value(
            file, kExtAudioFileProperty_FileDataFormat, AudioStreamBasicDescription(), name)
        let channels = Int(asbd.mChannelsPerFrame)
        let layout = unsafe fileLayout(file) ?? ChannelOrder.usual(channels: channels)
        let usable = layout.map { Int($0.channelCount) == channels } ?? true ? layout : nil
        guard
            let format = unsafe AVAudioFormat(streamDescription: &asbd, channelLayout: usable)
                ?? AVAudioFormat(
                    streamDescription: &asbd, channelLayout: ChannelOrder.discrete(channels: channels))
        else { throw AVAudioFailure.error(kAudioFileInvalidFileError, "'\(name)' has no layout") }
        return format
    }

    @unsafe private static func fileLayout(_ file: ExtAudioFileRef) -> AVAudioChannelLayout? {
        var size: UInt32 = 0
        guard
            unsafe ExtAudioFileGetPropertyInfo(file, kExtAudioFileProperty_FileChannelLayout, &size, nil)
                == noErr,
            size > 0, size < 1 << 20
        else { return nil }
        var bytes = Data(count: Int(size))
        let status = unsafe bytes.withUnsafeMutableBytes {
            guard let start = $0.baseAddress else { return kAudio_ParamError }
            return unsafe ExtAudioFileGetProperty(file, kExtAudioFileProperty_FileChannelLayout, &size, start)
        }
        return status == noErr ? AVAudioChannelLayout(bytes: bytes.prefix(Int(size))) : nil
    }

    func setClientFormat(_ format: AVAudioFormat) throws {
        let status = unsafe ExtAudioFileSetProperty(
            try open(), kExtAudioFileProperty_ClientDataFormat,
            UInt32(MemoryLayout<AudioStreamBasicDescription>.size), format.streamDescription)
        try AVAudioFailure.check(status, "convert '\(name)' to \(format.summary)")
    }

    /// Sets bit rate and quality. Encoders without one ignore it, as do files of linear PCM.
    private func setEncoder(_ settings: AudioSettings) throws {
        guard !fileFormat.asbd.isLinearPCM else { return }
        let converter = try unsafe Self.value(
            try open(), kExtAudioFileProperty_AudioConverter, Optional<AudioConverterRef>.none, name)
        guard let converter = unsafe converter else { return }
        var isSet = false
        func set(_ property: AudioConverterPropertyID, _ number: Int) throws {
            var number = UInt32(clamping: number)
            let status = unsafe AudioConverterSetProperty(converter, property, 4, &number)
            guard status != kAudioConverterErr_PropertyNotSupported else { return }
            try AVAudioFailure.check(status, "create '\(name)' with the settings of the encoder")
            isSet = true
        }
        if let quality = settings.quality { try set(kAudioConverterCodecQuality, quality.rawValue) }
        if let rate = settings.totalBitRate(channels: Int(fileFormat.channelCount)) {
            try set(kAudioConverterEncodeBitRate, rate)
        }
        guard isSet else { return }
        // The file takes over the settings.
        var none: UnsafeRawPointer?
        let status = unsafe ExtAudioFileSetProperty(
            try open(), kExtAudioFileProperty_ConverterConfig, UInt32(MemoryLayout<UnsafeRawPointer?>.size),
            &none)
        try AVAudioFailure.check(status, "create '\(name)' with the settings of the encoder")
    }

    @unsafe private static func value<Value: BitwiseCopyable>(
        _ file: ExtAudioFileRef, _ property: ExtAudioFilePropertyID, _ initial: Value, _ name: String
    ) throws -> Value {
        var value = initial
        var size = UInt32(MemoryLayout<Value>.size)
        try AVAudioFailure.check(
            unsafe ExtAudioFileGetProperty(file, property, &size, &value), "read '\(name)'")
        return value
    }

    // MARK: Transfers

    var position: AVAudioFramePosition {
        guard let file = unsafe file else { return 0 }
        if isWriting { return length }
        var position: Int64 = 0
        return unsafe ExtAudioFileTell(file, &position) == noErr ? position : 0
    }

    func seek(to frame: AVAudioFramePosition) {
        guard let file = unsafe file else { return }
        guard !isWriting else {
            return MisuseNote.write("a file that is written has no other position: '\(name)'")
        }
        let status = unsafe ExtAudioFileSeek(file, max(0, min(frame, length)))
        if status != noErr { MisuseNote.write("cannot seek in '\(name)': \(AVAudioFailure.text(status))") }
    }

    /// Reads at most so many frames, and returns their number.
    @unsafe func read(
        _ frames: AVAudioFrameCount, into list: UnsafeMutablePointer<AudioBufferList>
    ) throws -> AVAudioFrameCount {
        let file = unsafe try open()
        guard !isWriting else {
            throw AVAudioFailure.error(
                kAudioFileOperationNotSupportedError, "cannot read '\(name)': it is written")
        }
        var count = frames
        try AVAudioFailure.check(unsafe ExtAudioFileRead(file, &count, list), "read '\(name)'")
        return count
    }

    @unsafe func write(_ frames: AVAudioFrameCount, from list: UnsafePointer<AudioBufferList>) throws {
        let file = unsafe try open()
        guard isWriting else {
            throw AVAudioFailure.error(
                kAudioFileOperationNotSupportedError, "cannot write '\(name)': it is read")
        }
        try AVAudioFailure.check(unsafe ExtAudioFileWrite(file, frames, list), "write '\(name)'")
        length += AVAudioFramePosition(frames)
    }

    /// Completes and closes the file, unless it is closed.
    ///
    /// - Returns: The status of a file that was written.
    @discardableResult func close() -> OSStatus {
        guard let open = unsafe file else { return noErr }
        unsafe file = nil
        let status = unsafe ExtAudioFileDispose(open)
        guard status != noErr, isWriting else { return noErr }
        MisuseNote.write("cannot complete '\(name)': \(AVAudioFailure.text(status))")
        return status
    }
}
