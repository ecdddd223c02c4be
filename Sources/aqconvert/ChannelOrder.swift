// SPDX-License-Identifier: MIT

import AQCodecs
import AQFiles
import CoreAudioTypes

/// The order of the channels in each step of a conversion.
///
/// The packets of AAC and Apple Lossless have a special order, which their files state: the centre comes first. The
/// output of their decoders, and the input of their encoders, has the order of WAVE files. File types that cannot store
/// an order, such as FLAC, have a fixed one.
struct ChannelOrder: Equatable {
    /// The order of the decoded channels.
    let decoded: [AudioChannelLabel]
    /// The order of the converted channels, before they are encoded or stored; nil for the usual order.
    let converted: [AudioChannelLabel]?
    /// The order in the new file; nil for that of the format.
    let stored: [AudioChannelLabel]?

    /// Makes the order for packets that are copied.
    init(copying labels: [AudioChannelLabel]) {
        (decoded, converted, stored) = (labels, labels, labels)
    }

    /// - Parameters:
    ///   - labels: The channels of the source.
    ///   - type: The type of the new file.
    init(
        from input: AudioStreamBasicDescription, magicCookie: [UInt8], labels: [AudioChannelLabel],
        to output: AudioStreamBasicDescription, in type: AudioFileType
    ) {
        let given = DecodedChannelOrder.labels(of: input, magicCookie: magicCookie)
        decoded = given?.count == labels.count ? given ?? labels : labels
        let taken = Self.required(by: output, in: type)
        if input.mChannelsPerFrame != output.mChannelsPerFrame {
            converted = nil
            stored = nil
        } else if let taken {
            // If the codec or the file type lacks some of the channels, all keep their order.
            converted = Set(taken) == Set(decoded) ? taken : decoded
            stored = nil
        } else {
            let ordered = Self.waveOrder(of: decoded, in: type)
            converted = ordered
            stored = ordered
        }
    }

    /// Returns the channels in the order of WAVE's mask, if the file type has the mask and it needs another order.
    private static func waveOrder(
        of labels: [AudioChannelLabel], in type: AudioFileType
    ) -> [AudioChannelLabel] {
        guard [.wave, .rf64, .wave64].contains(type), ChannelLabels.waveMask(of: labels) == nil else {
            return labels
        }
        let ordered = labels.sorted()
        return ChannelLabels.waveMask(of: ordered) == nil ? labels : ordered
    }

    /// Returns the order that the encoder or the file type requires of the converted channels; nil for any order.
    static func required(
        by output: AudioStreamBasicDescription, in type: AudioFileType
    ) -> [AudioChannelLabel]? {
        DecodedChannelOrder.labels(of: output) ?? type.fixedChannelLabels(of: output)
    }
}
