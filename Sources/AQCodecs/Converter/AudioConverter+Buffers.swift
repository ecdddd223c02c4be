// SPDX-License-Identifier: MIT

import CoreAudioTypes

extension AudioConverter {
    /// Converts whole frames between formats in which each frame becomes one frame: linear PCM at one rate.
    ///
    /// Only the state of the dither noise is kept from call to call. ``inputTrim`` does not apply.
    ///
    /// - Parameters:
    ///   - input: Whole frames, of any alignment.
    ///   - output: Room for the same number of frames; must not overlap `input`.
    /// - Returns: The number of bytes written.
    /// - Throws: ``CodecError/Code/unsupportedOperation`` for packets, different rates, and non-interleaved channels;
    ///   ``CodecError/Code/invalidInputSize`` if `input` ends inside a frame; ``CodecError/Code/outputTooSmall`` if
    ///   the frames do not fit; the initialiser's errors if changed settings do not fit the formats. Nothing is written
    ///   then.
    ///
    /// The corresponding C function is `AudioConverterConvertBuffer`.
    @discardableResult
    public func convertBuffer(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CodecError) -> Int {
        guard inputFormat.isContiguous, outputFormat.isContiguous, convertsFrameByFrame else {
            throw conversionError(.unsupportedOperation, "not of as many frames, or not in one buffer")
        }
        if needsPipeline { try makePipeline() }
        let inputBytes = Int(inputFormat.mBytesPerFrame)
        let frames = input.count / inputBytes
        guard frames * inputBytes == input.count else {
            throw conversionError(
                .invalidInputSize, "\(input.count) bytes are not whole frames of \(inputBytes)")
        }
        let outputBytes = Int(outputFormat.mBytesPerFrame)
        guard output.count / outputBytes >= frames else {
            throw conversionError(.outputTooSmall, "\(frames) frames do not fit \(output.count) bytes")
        }
        guard frames > 0, let from = input.baseAddress, let to = output.baseAddress else { return 0 }
        // SAFETY: both buffers hold `frames` frames, checked above.
        _ = try unsafe pipeline.convert(frames: frames, from: from, to: to, room: frames)
        return frames * outputBytes
    }

    /// Whether each frame becomes one frame, as for linear PCM at one rate.
    public var convertsFrameByFrame: Bool {
        encoder == nil && inputFormat.isLinearPCM && inputFormat.mSampleRate == outputFormat.mSampleRate
    }
}
