import AudioDevices

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

    var advice: String? { Advice.text(for: trials.map(Advice.Trial.init)) }
}
