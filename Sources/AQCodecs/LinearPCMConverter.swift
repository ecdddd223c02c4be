// SPDX-License-Identifier: MIT

public import CoreAudioTypes

/// A converter of linear PCM between any two encodings of one rate and channel count.
///
/// The encodings are signed and unsigned integers of 1 to 32 bits, in 1 to 4 bytes, packed or aligned high or low, and
/// floats of 32 and 64 bits. Both byte orders are supported, and interleaved and non-interleaved samples.
/// - Integer to more bits: exact, the new low bits are 0. Integer to fewer bits: rounded to nearest, clipped.
/// - Integer to float: divided by 2^(bits - 1), exact as far as the float has bits.
/// - Float to integer: multiplied by 2^(bits - 1), rounded to nearest (ties to even), clipped; NaN becomes 0.
/// - Float to float: rounded, not clipped.
/// - The same encoding, in either byte order: the bits are copied unchanged.
///
/// Rates and channels are not converted. Threads may share a converter.
public struct LinearPCMConverter: Sendable {
    public let inputFormat: AudioStreamBasicDescription
    public let outputFormat: AudioStreamBasicDescription
    private let kernel: SampleKernel
    private let inputSample: SampleLayout
    private let outputSample: SampleLayout

    /// Prepares the conversion of `input` to `output`.
    ///
    /// - Throws: ``CodecError/Code/invalidFormat`` if a description contradicts itself;
    ///   ``CodecError/Code/unsupportedFormat`` if a format is not linear PCM, is fixed-point, or rates or channels
    ///   differ.
    public init(
        from input: AudioStreamBasicDescription, to output: AudioStreamBasicDescription
    ) throws(CodecError) {
        inputSample = try SampleLayout(of: input)
        outputSample = try SampleLayout(of: output)
        guard input.mSampleRate == output.mSampleRate, input.mChannelsPerFrame == output.mChannelsPerFrame
        else {
            throw CodecError(
                .unsupportedFormat,
                "cannot convert \(input.summary) to \(output.summary): rate and channels must be the same")
        }
        inputFormat = input
        outputFormat = output
        kernel = SampleKernel(from: inputSample, to: outputSample)
    }

    /// Converts whole frames of interleaved PCM, or of one channel.
    ///
    /// - Parameters:
    ///   - input: Whole frames of the input format, of any alignment.
    ///   - output: Room for the same number of frames; must not overlap `input`.
    /// - Returns: The number of frames written.
    /// - Throws: ``CodecError/Code/invalidInputSize`` if `input` ends inside a frame,
    ///   ``CodecError/Code/outputTooSmall`` if the output has too little room, or
    ///   ``CodecError/Code/unsupportedFormat`` if a format is non-interleaved and has several channels. Nothing is
    ///   written then.
    @discardableResult
    public func convert(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CodecError) -> Int {
        guard inputFormat.isContiguous, outputFormat.isContiguous else {
            throw failure(.unsupportedFormat, "each channel needs a buffer of its own, and there is one")
        }
        let inputBytes = Int(inputFormat.mBytesPerFrame)
        let frames = input.count / inputBytes
        guard frames * inputBytes == input.count else {
            throw failure(.invalidInputSize, "\(input.count) bytes are not whole frames of \(inputBytes)")
        }
        guard output.count / Int(outputFormat.mBytesPerFrame) >= frames else {
            throw failure(.outputTooSmall, "\(frames) frames do not fit \(output.count) bytes")
        }
        guard frames > 0, let from = input.baseAddress, let to = output.baseAddress else { return 0 }
        // SAFETY: both buffers hold `frames` frames, checked above.
        unsafe kernel.convert(
            samples: frames * Int(inputFormat.mChannelsPerFrame), from: from, to: to, inputSample,
            outputSample)
        return frames
    }

    /// Converts `frames` frames from one buffer list to another.
    ///
    /// A list has a buffer for each channel of a non-interleaved format, otherwise one buffer. Sets the byte sizes of
    /// the output's buffers.
    ///
    /// - Throws: ``CodecError/Code/invalidInputSize`` if `frames` is negative or too large, or input buffers are
    ///   missing or too small for the frames; ``CodecError/Code/outputTooSmall`` if output buffers are. Nothing is
    ///   written then.
    ///
    /// The corresponding C function is `AudioConverterConvertComplexBuffer`.
    @unsafe
    public func convert(
        frames: Int, from input: UnsafeMutableAudioBufferListPointer,
        into output: UnsafeMutableAudioBufferListPointer
    ) throws(CodecError) {
        guard frames >= 0, let inputBytes = inputFormat.byteCount(ofFrames: frames),
            let outputBytes = outputFormat.byteCount(ofFrames: frames), outputBytes <= Int(UInt32.max)
        else { throw failure(.invalidInputSize, "\(frames) frames") }
        guard unsafe holds(input, bytes: inputBytes, of: inputFormat) else {
            throw failure(.invalidInputSize, "the input's buffers do not hold \(frames) frames")
        }
        guard unsafe holds(output, bytes: outputBytes, of: outputFormat) else {
            throw failure(.outputTooSmall, "the output's buffers do not hold \(frames) frames")
        }
        let channels = Int(inputFormat.mChannelsPerFrame)
        if frames > 0 {
            if inputFormat.isContiguous, outputFormat.isContiguous {
                if let from = unsafe input[0].mData, let to = unsafe output[0].mData {
                    unsafe kernel.convert(
                        samples: frames * channels, from: from, to: to, inputSample, outputSample)
                }
            } else {
                for channel in 0..<channels {
                    guard let from = unsafe start(of: channel, in: input, inputFormat, inputSample),
                        let to = unsafe start(of: channel, in: output, outputFormat, outputSample)
                    else { continue }
                    unsafe kernel.convert(
                        samples: frames, from: from, stride: Int(inputFormat.mBytesPerFrame), to: to,
                        stride: Int(outputFormat.mBytesPerFrame), inputSample, outputSample)
                }
            }
        }
        for index in 0..<(outputFormat.isContiguous ? 1 : channels) {
            unsafe output[index].mDataByteSize = UInt32(outputBytes)
        }
    }

    private func holds(
        _ list: UnsafeMutableAudioBufferListPointer, bytes: Int, of format: AudioStreamBasicDescription
    ) -> Bool {
        let buffers = format.isContiguous ? 1 : Int(format.mChannelsPerFrame)
        guard unsafe list.count >= buffers else { return false }
        for index in 0..<buffers {
            let buffer = unsafe list[index]
            guard unsafe Int(buffer.mDataByteSize) >= bytes, unsafe bytes == 0 || buffer.mData != nil else {
                return false
            }
        }
        return true
    }

    private func start(
        of channel: Int, in list: UnsafeMutableAudioBufferListPointer, _ format: AudioStreamBasicDescription,
        _ sample: SampleLayout
    ) -> UnsafeMutableRawPointer? {
        if format.isContiguous {
            return unsafe list[0].mData.map { unsafe $0 + channel * sample.containerBytes }
        }
        return unsafe list[channel].mData
    }

    private func failure(_ code: CodecError.Code, _ reason: String) -> CodecError {
        CodecError(
            code,
            "cannot convert \(inputFormat.encodingSummary) to \(outputFormat.encodingSummary): \(reason)")
    }
}

extension AudioStreamBasicDescription {
    /// Whether all channels are in one buffer.
    var isContiguous: Bool { isInterleaved || mChannelsPerFrame == 1 }
}
