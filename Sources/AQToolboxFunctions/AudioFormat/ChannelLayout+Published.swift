// SPDX-License-Identifier: MIT

import CAQAudioToolbox
import CoreAudioTypes

/// Layouts as the published struct, and their comparison.
extension ChannelLayout {
    /// The struct of a layout that consists of its tag.
    ///
    /// The bytes have the full size of the C struct, with room for one description, because programs copy the
    /// whole struct.
    static func publishedBytes(tag: AudioChannelLayoutTag) -> [UInt8] {
        struct Header {
            var tag: AudioChannelLayoutTag
            var bitmap: UInt32 = 0
            var descriptions: UInt32 = 0
        }
        let header = Header(tag: tag)
        return unsafe withUnsafeBytes(of: header) { unsafe Array($0) }
            + [UInt8](repeating: 0, count: MemoryLayout<AudioChannelDescription>.stride)
    }

    /// The struct that describes each channel, however the layout was defined.
    var describedBytes: [UInt8] {
        let header: [UInt32] = [
            kAudioChannelLayoutTag_UseChannelDescriptions, 0, UInt32(clamping: channels),
        ]
        let described = speakers.map { channel in
            AudioChannelDescription(
                mChannelLabel: channel.label, mChannelFlags: AudioChannelFlags(rawValue: channel.flags),
                mCoordinates: (channel.coordinates.x, channel.coordinates.y, channel.coordinates.z))
        }
        return unsafe header.withUnsafeBytes { unsafe Array($0) }
            + described.withUnsafeBytes { unsafe Array($0) }
    }

    /// The struct in its shortest form: with a tag if there is one for these channels, otherwise with
    /// descriptions.
    var publishedBytes: [UInt8] { commonTag.map { Self.publishedBytes(tag: $0) } ?? describedBytes }

    /// The described channels, or the channels by their labels if none is described.
    var speakers: [Channel] {
        descriptions.isEmpty ? labels.map { Channel(label: $0) } : descriptions
    }

    /// The tag of these channels in this order; nil if there is none, or if coordinates define their
    /// positions.
    var commonTag: AudioChannelLayoutTag? {
        if tag != kAudioChannelLayoutTag_UseChannelDescriptions { return tag }
        // In bitmaps, mono is a centre channel alone.
        return labels == [kAudioChannelLabel_Center]
            ? kAudioChannelLayoutTag_Mono : ChannelLayoutTags.tag(of: labels)
    }

    /// Returns whether the channels are equal, in the same order, however the layouts were defined.
    func isEquivalent(to other: ChannelLayout) -> Bool {
        speakers.map(\.significant) == other.speakers.map(\.significant)
    }

    /// A number that equivalent layouts share, the same in every process (FNV-1a).
    var publishedHash: UInt32 {
        var hash: UInt32 = 0x811C_9DC5
        for channel in speakers.map(\.significant) {
            let words = [
                channel.label, channel.flags, channel.coordinates.x.bitPattern,
                channel.coordinates.y.bitPattern,
                channel.coordinates.z.bitPattern,
            ]
            for word in words {
                for shift in [0, 8, 16, 24] as [UInt32] {
                    hash = (hash ^ (word >> shift & 0xFF)) &* 0x0100_0193
                }
            }
        }
        return hash
    }
}

extension ChannelLayout.Channel {
    /// The channel without fields that its label does not use.
    fileprivate var significant: ChannelLayout.Channel {
        guard label == kAudioChannelLabel_UseCoordinates else { return ChannelLayout.Channel(label: label) }
        // The addition gives zeros of both signs the same bits.
        let zero = SIMD3<Float>(repeating: 0)
        return ChannelLayout.Channel(label: label, flags: flags, coordinates: coordinates + zero)
    }
}
