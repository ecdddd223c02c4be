// SPDX-License-Identifier: MIT

import AQCodecs
package import CoreAudioTypes

/// The format of a connection. Samples are 32-bit floats, each channel in memory of its own.
package struct GraphFormat: Sendable, Equatable {
    package var sampleRate: Double
    package var channels: Int
    /// The positions of the channels; empty for the usual ones.
    package var labels: [AudioChannelLabel]

    package init(sampleRate: Double, channels: Int, labels: [AudioChannelLabel] = []) {
        self.sampleRate = sampleRate
        self.channels = channels
        self.labels = labels
    }

    var description: AudioStreamBasicDescription {
        .float(isInterleaved: false, channels: channels, sampleRate: sampleRate)
    }

    private var positions: [AudioChannelLabel] {
        labels.count == channels ? labels : ChannelLabels.defaults(channels: channels)
    }

    /// Returns the mix of the channels for another format; nil if channels are passed unchanged.
    func matrix(to target: GraphFormat) -> ChannelMatrix? {
        if channels == target.channels, labels.isEmpty || target.labels.isEmpty { return nil }
        let matrix = ChannelMatrix(from: positions, to: target.positions)
        return matrix.flatMap { $0.isIdentity ? nil : $0 }
    }
}
