// SPDX-License-Identifier: MIT

import AQDevices

/// Everything that a run has found.
struct LatencyReport: Sendable {
    var server: SoundServerInfo
    var sink: DeviceInfo
    var isHighGrantedByKernel = false
    /// The level at which the signal was played, linear.
    var level: Float
    /// The run whose round trip is reported in detail.
    var roundTrip: SettingResult?
    /// The tried settings, the smallest first.
    var trials: [SettingResult] = []
    /// The recorded source; nil for the monitor.
    var source: DeviceInfo?
    var loopback: LoopbackRun.Result?

    /// Whether a signal ended the run before all settings were tried.
    var isInterrupted = false

    /// The advice; nil if an interrupted run found no setting without a gap.
    var advice: String? {
        let trials = trials.map(Advice.Trial.init)
        return isInterrupted && Advice.best(of: trials) == nil ? nil : Advice.text(for: trials)
    }
}
