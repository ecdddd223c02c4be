// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The contents of a 'chan' chunk: the published structure `CAFChannelLayout`.
enum CAFChannelLayout {
    /// Reads the label of each channel.
    ///
    /// - Throws: ``ChannelLayoutError`` if the chunk is too short or its tag is unknown.
    static func labels(_ bytes: some Sequence<UInt8>) throws(ChannelLayoutError) -> [AudioChannelLabel] {
        var cursor = FieldCursor(bytes)
        guard let tag = cursor.read(UInt32.self), let bitmap = cursor.read(UInt32.self),
            let promised = cursor.read(UInt32.self)
        else { throw ChannelLayoutError(.truncated, "it is shorter than its header") }
        switch tag {
        case kAudioChannelLayoutTag_UseChannelDescriptions:
            guard Int(promised) <= cursor.rest.count / descriptionBytes else {
                throw ChannelLayoutError(
                    .truncated,
                    "it promises \(promised) channels, and holds \(cursor.rest.count / descriptionBytes)")
            }
            var labels: [AudioChannelLabel] = []
            for _ in 0..<promised {
                guard let label = cursor.read(UInt32.self), cursor.skip(descriptionBytes - 4) else { break }
                labels.append(label)
            }
            return labels
        case kAudioChannelLayoutTag_UseChannelBitmap:
            return ChannelLayout(bitmap: AudioChannelBitmap(rawValue: bitmap)).labels
        default:
            return try ChannelLayout(tag: tag).labels
        }
    }

    /// Makes the contents of the chunk: a tag if one describes the layout, otherwise a label per channel.
    static func bytes(of labels: [AudioChannelLabel]) -> [UInt8] {
        let isDiscrete = labels == ChannelLabels.discrete(channels: labels.count)
        let tag =
            isDiscrete
            ? kAudioChannelLayoutTag_DiscreteInOrder | AudioChannelLayoutTag(labels.count)
            : ChannelLayout(labels: labels).tag
        let described = tag == kAudioChannelLayoutTag_UseChannelDescriptions ? labels : []
        var contents = HeaderBytes()
        contents.append(big: tag)
        contents.append(big: UInt32(0))
        contents.append(big: UInt32(described.count))
        for label in described {
            contents.append(big: label)
            // No flags, so the three coordinates have no meaning.
            contents.append(raw: [UInt8](repeating: 0, count: descriptionBytes - 4))
        }
        return contents.bytes
    }

    private static let descriptionBytes = 20
}
