// SPDX-License-Identifier: MIT

import AudioToolbox
import CoreAudioTypes
public import Foundation

/// Converts audio between two formats: samples, channels, sample rates, and packets of encoders.
///
/// One thread at a time may use a converter.
///
/// The corresponding functions of C are those of `AudioConverter`, and the samples are the same.
@safe open class AVAudioConverter: NSObject, @unchecked Sendable {
    // SAFETY: the reference is disposed of by deinit, and no other code has it.

    public let inputFormat: AVAudioFormat
    public let outputFormat: AVAudioFormat
    private let converter: AudioConverterRef
    /// The buffer that the converter may still read from.
    private var input: AVAudioBuffer?
    /// Whether the input has ended since the last reset.
    private var hasEnded = false
    var downmixes = false
    var strategy: String?
    var rateAlgorithm: String?

    /// Makes a converter; nil if it is impossible.
    public init?(from fromFormat: AVAudioFormat, to toFormat: AVAudioFormat) {
        var made: AudioConverterRef?
        let status = unsafe AudioConverterNew(fromFormat.streamDescription, toFormat.streamDescription, &made)
        guard status == noErr, let made = unsafe made else { return nil }
        unsafe converter = made
        inputFormat = fromFormat
        outputFormat = unsafe Self.completed(toFormat, unsafe made)
        super.init()
        setLayouts()
        if let cookie = fromFormat.magicCookie { magicCookie = cookie }
    }

    deinit { unsafe AudioConverterDispose(converter) }

    /// The format of the output with what the encoder has decided.
    @unsafe private static func completed(
        _ format: AVAudioFormat, _ converter: AudioConverterRef
    ) -> AVAudioFormat {
        guard !format.asbd.isLinearPCM else { return format }
        var (asbd, size) = (format.asbd, UInt32(MemoryLayout<AudioStreamBasicDescription>.size))
        let status = unsafe AudioConverterGetProperty(
            converter, kAudioConverterCurrentOutputStreamDescription, &size, &asbd)
        guard status == noErr, !asbd.isSame(as: format.asbd) else { return format }
        return unsafe AVAudioFormat(streamDescription: &asbd, channelLayout: format.channelLayout) ?? format
    }

    /// Sets the layouts of input and output if both have only loudspeakers. Otherwise channels correspond by number.
    private func setLayouts() {
        guard let from = inputFormat.channelLayout, let to = outputFormat.channelLayout,
            from.hasOnlySpeakers, to.hasOnlySpeakers
        else { return }
        for (property, layout) in [
            (kAudioConverterInputChannelLayout, from), (kAudioConverterOutputChannelLayout, to),
        ] {
            _ = unsafe AudioConverterSetProperty(
                converter, property, UInt32(layout.byteCount), layout.layout)
        }
    }

    // MARK: Conversion

    /// Converts the frames of a buffer to another type of samples or order of channels, not to another rate or codec.
    ///
    /// - Parameters:
    ///   - outputBuffer: Has room for the frames of the input, and gets their number.
    ///   - inputBuffer: Frames of the input format.
    /// - Throws: `kAudio_ParamError` if rates differ, a format is encoded, or a buffer does not fit.
    open func convert(to outputBuffer: AVAudioPCMBuffer, from inputBuffer: AVAudioPCMBuffer) throws {
        let frames = inputBuffer.frameLength
        func check(_ isRight: Bool, _ reason: String) throws {
            guard !isRight else { return }
            throw AVAudioFailure.error(kAudio_ParamError, "cannot convert: \(reason)")
        }
        try check(inputFormat.sampleRate == outputFormat.sampleRate, "the sample rates differ")
        try check(inputFormat.asbd.isLinearPCM && outputFormat.asbd.isLinearPCM, "a format is encoded")
        try check(inputBuffer.format == inputFormat, "the input has another format than the converter")
        try check(outputBuffer.format == outputFormat, "the output has another format than the converter")
        try check(outputBuffer.frameCapacity >= frames, "the output has no room for \(frames) frames")
        outputBuffer.frameLength = 0
        guard frames > 0 else { return }
        let status = unsafe AudioConverterConvertComplexBuffer(
            converter, frames, inputBuffer.audioBufferList, outputBuffer.mutableAudioBufferList)
        try AVAudioFailure.check(status, "convert")
        outputBuffer.frameLength = frames
    }

    /// Converts audio that a block provides, until the output is full, the block has no data, or the audio has ended.
    ///
    /// - Parameters:
    ///   - outputBuffer: Gets the audio and its length. Its format is that of the output.
    ///   - outError: Gets the error if there is one.
    ///   - inputBlock: Called on this thread, as often as the output requires. Audio of its last buffer that the output had
    ///     no room for is the first of the next conversion.
    /// - Returns: ``AVAudioConverterOutputStatus/inputRanDry`` if the block had no data, which is no error;
    ///   ``AVAudioConverterOutputStatus/endOfStream`` from the first conversion after the last audio until ``reset()``.
    @discardableResult
    open func convert(
        to outputBuffer: AVAudioBuffer, error outError: NSErrorPointer,
        withInputFrom inputBlock: @escaping AVAudioConverterInputBlock
    ) -> AVAudioConverterOutputStatus {
        guard outputFormat.fits(outputBuffer.format) else {
            unsafe outError?.pointee = AVAudioFailure.error(
                kAudio_ParamError, "cannot convert: the output has another format than the converter")
            return .error
        }
        let feed = unsafe ConverterFeed(inputBlock, inputFormat, after: input, hasEnded: hasEnded)
        let status = fill(outputBuffer, feed)
        (input, hasEnded) = (feed.buffer, feed.hasEnded)
        guard status == noErr || status == ConverterFeed.noDataNow else {
            unsafe outError?.pointee = AVAudioFailure.error(
                status, feed.failure ?? "cannot convert: \(AVAudioFailure.text(status))")
            return .error
        }
        if status == ConverterFeed.noDataNow { return .inputRanDry }
        return feed.hasEnded && outputBuffer.isEmpty ? .endOfStream : .haveData
    }

    private func fill(_ output: AVAudioBuffer, _ feed: ConverterFeed) -> OSStatus {
        let packed = output as? AVAudioCompressedBuffer
        var packets = packed?.packetCapacity ?? (output as? AVAudioPCMBuffer)?.frameCapacity ?? 0
        output.empty()
        guard packets > 0 else { return kAudio_ParamError }
        let status = unsafe AudioConverterFillComplexBuffer(
            converter, provideConverterInput, Unmanaged.passUnretained(feed).toOpaque(), &packets,
            output.mutableAudioBufferList, packed?.packetDescriptions)
        if let packed {
            packed.packetCount = packets
            packed.byteLength = packets == 0 ? 0 : unsafe packed.memory.whole[0].mDataByteSize
        } else {
            (output as? AVAudioPCMBuffer)?.frameLength = packets
        }
        return status
    }

    /// Forgets all audio and the end of the stream.
    open func reset() {
        unsafe AudioConverterReset(converter)
        (input, hasEnded) = (nil, false)
    }

    // MARK: Properties

    /// The value of a property of the converter; nil if it has none.
    func value<Value: BitwiseCopyable>(_ property: AudioConverterPropertyID, _ initial: Value) -> Value? {
        var (value, size) = (initial, UInt32(MemoryLayout<Value>.size))
        return unsafe AudioConverterGetProperty(converter, property, &size, &value) == noErr ? value : nil
    }

    /// The values of a property that is a list; nil if the converter has none.
    func values<Value: BitwiseCopyable>(_ property: AudioConverterPropertyID, of initial: Value) -> [Value]? {
        var size: UInt32 = 0
        guard unsafe AudioConverterGetPropertyInfo(converter, property, &size, nil) == noErr, size < 1 << 20
        else { return nil }
        var values = Array(repeating: initial, count: Int(size) / MemoryLayout<Value>.stride)
        guard !values.isEmpty else { return [] }
        let status = unsafe values.withUnsafeMutableBytes {
            guard let start = $0.baseAddress else { return kAudio_ParamError }
            return unsafe AudioConverterGetProperty(converter, property, &size, start)
        }
        return status == noErr ? Array(values.prefix(Int(size) / MemoryLayout<Value>.stride)) : nil
    }

    /// Sets a property, or reports on standard error, once a process, that converters refuse it.
    func set<Value: BitwiseCopyable>(_ property: AudioConverterPropertyID, to values: [Value], _ name: String)
    {
        let status = unsafe values.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return kAudio_ParamError }
            return unsafe AudioConverterSetProperty(converter, property, UInt32(bytes.count), start)
        }
        if status != noErr {
            MisuseNote.writeOnce("a converter refuses \(name): \(AVAudioFailure.text(status))")
        }
    }
}

extension AVAudioBuffer {
    fileprivate var isEmpty: Bool { memory.filledBytes == 0 }

    fileprivate func empty() {
        memory.filledBytes = 0
        (self as? AVAudioCompressedBuffer)?.packetCount = 0
    }
}
