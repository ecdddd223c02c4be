// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The samples of a bus, and the labels of their channels.
struct BusFormat: Equatable, Sendable {
    var samples: AudioStreamBasicDescription
    /// The labels that the client has set; none for those of the number of channels.
    var labels: [AudioChannelLabel] = []

    var channels: Int { Int(samples.mChannelsPerFrame) }

    var channelLabels: [AudioChannelLabel] {
        labels.count == channels ? labels : ChannelLabels.defaults(channels: channels)
    }

    static func == (one: BusFormat, other: BusFormat) -> Bool {
        one.labels == other.labels && one.samples.isSame(as: other.samples)
    }
}

extension AudioStreamBasicDescription {
    /// The same bits as integers, for numbers with bits before the binary point.
    var withoutFraction: AudioStreamBasicDescription {
        var result = self
        if fractionBits > 0 { result.mFormatFlags &= ~kLinearPCMFormatFlagsSampleFractionMask }
        return result
    }
}
