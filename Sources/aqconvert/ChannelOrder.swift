import AudioCodecs
import CoreAudioTypes

/// The order of the channels in each step of a conversion.
///
/// The packets of AAC and Apple Lossless have a special order, which their files state: the centre comes first. The
/// output of their decoders, and the input of their encoders, has the order of WAVE files.
struct ChannelOrder: Equatable {
    /// The order of the decoded channels.
    let decoded: [AudioChannelLabel]
    /// The order of the converted channels, before they are encoded; nil for the usual order.
    let converted: [AudioChannelLabel]?
    /// The order in the new file; nil for that of the format.
    let stored: [AudioChannelLabel]?

    /// Makes the order for packets that are copied.
    init(copying labels: [AudioChannelLabel]) {
        (decoded, converted, stored) = (labels, labels, labels)
    }

    /// - Parameter labels: The channels of the source.
    init(
        from input: AudioStreamBasicDescription, magicCookie: [UInt8], labels: [AudioChannelLabel],
        to output: AudioStreamBasicDescription
    ) {
        let given = DecodedChannelOrder.labels(of: input, magicCookie: magicCookie)
        decoded = given?.count == labels.count ? given ?? labels : labels
        let taken = DecodedChannelOrder.labels(of: output)
        if input.mChannelsPerFrame != output.mChannelsPerFrame {
            converted = nil
            stored = nil
        } else if let taken {
            // If the codec lacks some of the channels, all keep their order.
            converted = Set(taken) == Set(decoded) ? taken : decoded
            stored = nil
        } else {
            converted = decoded
            stored = decoded
        }
    }
}
