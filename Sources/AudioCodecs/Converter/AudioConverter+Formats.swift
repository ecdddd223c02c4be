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
        // The size of a frame of linear PCM follows from the channels; the bit depth must be given.
        if output.isLinearPCM, output.mBytesPerFrame == 0, output.mBitsPerChannel <= 64 {
            let samples = output.isInterleaved ? output.mChannelsPerFrame : 1
            output.mBytesPerFrame = (output.mBitsPerChannel + 7) / 8 * samples
            output.mBytesPerPacket = output.mBytesPerFrame
            output.mFramesPerPacket = 1
        }
        return output
    }

    /// The smallest depth of a lossless encoder that keeps every bit of `source`; for 32-bit integers the 24
    /// that can be encoded, which is also the precision of floats.
    static func losslessDepth(of source: AudioStreamBasicDescription) -> Int {
        !source.isFloat && source.mBitsPerChannel <= 16 ? 16 : 24
    }

    /// The mix from the labels; nil if channels are passed unchanged.
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
