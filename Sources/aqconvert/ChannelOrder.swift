import AudioCodecs
import CoreAudioTypes

/// What channels are for, on their way from file to file.
///
/// The packets of AAC and Apple Lossless have an order of their own, which their files tell: the centre comes first.
/// What their decoders give, and their encoders take, has the order of WAVE files.
struct ChannelOrder: Equatable {
    /// Of what is decoded.
    let decoded: [AudioChannelLabel]
    /// Of what is converted, before it is encoded; nil is the usual order.
    let converted: [AudioChannelLabel]?
    /// Of what the new file holds; nil leaves it to the format.
    let stored: [AudioChannelLabel]?

    /// The order where packets stay as they are.
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
            // Channels that the codec knows nothing of pass in their own order.
            converted = Set(taken) == Set(decoded) ? taken : decoded
            stored = nil
        } else {
            converted = decoded
            stored = decoded
        }
    }
}
