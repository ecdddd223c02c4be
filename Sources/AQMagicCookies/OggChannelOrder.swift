// SPDX-License-Identifier: MIT

package import CoreAudioTypes

/// The channel order of Vorbis, which is also that of Opus (RFC 7845, 5.1.1.2).
package enum OggChannelOrder {
    /// The label of each channel in the stream.
    package static func labels(channels: Int) -> [AudioChannelLabel] {
        let usual = ChannelLabels.defaults(channels: channels)
        return sources(channels: channels).map { usual[$0] }
    }

    /// The channel in the usual order for each channel in the stream.
    package static func sources(channels: Int) -> [Int] {
        switch channels {
        case 3: [0, 2, 1]
        case 5: [0, 2, 1, 3, 4]
        case 6: [0, 2, 1, 4, 5, 3]
        case 7: [0, 2, 1, 5, 6, 4, 3]
        case 8: [0, 2, 1, 6, 7, 4, 5, 3]
        default: Array(0..<channels)
        }
    }
}
