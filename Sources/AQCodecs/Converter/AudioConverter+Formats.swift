// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The completion and comparison of a converter's formats.
extension AudioConverter {
    static func completed(
        _ output: AudioStreamBasicDescription, from source: AudioStreamBasicDescription
    ) -> AudioStreamBasicDescription {
        var output = output
        if output.mSampleRate == 0 { output.mSampleRate = source.mSampleRate }
        guard output.mChannelsPerFrame == 0 else { return output }
        output.mChannelsPerFrame = source.mChannelsPerFrame
        // The channels determine the frame size of linear PCM. The bit depth must be given.
        if output.isLinearPCM, output.mBytesPerFrame == 0, output.mBitsPerChannel <= 64 {
            let samples = output.isInterleaved ? output.mChannelsPerFrame : 1
            output.mBytesPerFrame = (output.mBitsPerChannel + 7) / 8 * samples
            output.mBytesPerPacket = output.mBytesPerFrame
            output.mFramesPerPacket = 1
        }
        return output
    }

    /// Returns the smallest depth of a lossless encoder that keeps every bit of `source`. For 32-bit integers this is
    /// 24, the largest that can be encoded, and also the precision of floats.
    static func losslessDepth(of source: AudioStreamBasicDescription) -> Int {
        !source.isFloat && source.mBitsPerChannel <= 16 ? 16 : 24
    }

    /// Returns the mix that the labels require; nil if channels are passed unchanged.
    static func matrix(
        from source: AudioStreamBasicDescription, _ inputLabels: [AudioChannelLabel]?,
        to target: AudioStreamBasicDescription, _ outputLabels: [AudioChannelLabel]?
    ) throws(CodecError) -> ChannelMatrix? {
        let inputs = Int(source.mChannelsPerFrame)
        let outputs = Int(target.mChannelsPerFrame)
        guard inputLabels?.count ?? inputs == inputs, outputLabels?.count ?? outputs == outputs else {
            throw CodecError(
                .invalidFormat,
                "cannot convert \(inputs) to \(outputs) channels: the layouts have another number of them")
        }
        if inputs == outputs, inputLabels == nil || outputLabels == nil { return nil }
        let matrix = ChannelMatrix(
            from: inputLabels ?? ChannelLabels.defaults(channels: inputs),
            to: outputLabels ?? ChannelLabels.defaults(channels: outputs))
        return matrix?.isIdentity == true ? nil : matrix
    }
}
