// SPDX-License-Identifier: MIT

import AQDevices
import Foundation

/// The levels of the channels of a connection. Written by the recording, read by any thread.
final class CaptureLevels: Sendable {
    private struct Channel {
        var average: Float = 0
        var peak: Float = 0
        /// The host time of the peak.
        var peakTime: UInt64 = 0
    }

    private static let holdNanoseconds: UInt64 = 1_500_000_000
    private static let silence: Float = -160

    private let channels: Monitor<[Channel]>

    init(channels: Int) { self.channels = Monitor(Array(repeating: Channel(), count: channels)) }

    /// Takes the linear levels of a moment. Channels without a level are silent.
    func update(_ levels: [ChannelLevel], at hostTime: UInt64) {
        channels.withLock { channels in
            for index in channels.indices {
                let level = index < levels.count ? levels[index] : ChannelLevel(rms: 0, peak: 0)
                channels[index].average = level.rms
                let isOver = hostTime > channels[index].peakTime &+ Self.holdNanoseconds
                guard isOver || level.peak >= channels[index].peak else { continue }
                channels[index].peak = level.peak
                channels[index].peakTime = hostTime
            }
        }
    }

    /// Makes all channels silent.
    func clear() {
        channels.withLock { channels in
            channels = Array(repeating: Channel(), count: channels.count)
        }
    }

    /// The level of a channel in decibels.
    func average(of channel: Int) -> Float { Self.decibels(channels.withLock { $0[channel].average }) }

    /// The held peak of a channel in decibels.
    func heldPeak(of channel: Int) -> Float { Self.decibels(channels.withLock { $0[channel].peak }) }

    private static func decibels(_ level: Float) -> Float { max(silence, 20 * log10(level)) }
}
