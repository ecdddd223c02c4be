// SPDX-License-Identifier: MIT

import AQDevices
import AQRoundTripAnalysis

/// The result of playing noise with one setting of the buffers.
struct SettingResult: Sendable {
    var setting: BufferSetting
    var sampleRate: Double
    var analysis: NoiseAnalysis
    /// The statistics of the latencies, in milliseconds.
    var latency: Summary
    /// The latency by the queue's own clock minus the measured one, in milliseconds.
    var clockDifference: Double
    /// Underruns that the queue counted.
    var underruns: Int
    var granted: GrantedLatency?
    /// The device while it played; nil if the server did not describe it.
    var device: DeviceInfo?
    var priority: GrantedPriority?

    var hasGap: Bool { analysis.gaps > 0 }
}
