import AudioCodecs
import CoreAudioTypes

/// The use of each channel during a conversion.
///
/// The packets of AAC and Apple Lossless have an order of their own, which their files state: the centre
/// comes first. The output of their decoders, and the input of their encoders, has the order of WAVE files.
struct ChannelOrder: Equatable {
    /// The order of the decoded channels.
    let decoded: [AudioChannelLabel]
    /// The order of the converted channels, before they are encoded; nil is the usual order.
    let converted: [AudioChannelLabel]?
    /// The order in the new file; nil leaves it to the format.
    let stored: [AudioChannelLabel]?

    /// The order of copied packets.
    init(copying labels: [AudioChannelLabel]) {
        (decoded, converted, stored) = (labels, labels, labels)
    }

    /// - Parameter labels: Those of the source.
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
            // Channels that the codec does not have keep their own order.
            converted = Set(taken) == Set(decoded) ? taken : decoded
            stored = nil
        } else {
            converted = decoded
            stored = decoded
        }
    }
}
