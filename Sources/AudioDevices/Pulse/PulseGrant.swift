import Synchronization

/// What a server has granted to a stream, and what is known of its device and latency. For any thread.
final class PulseGrant: Sendable {
    private let granted = Monitor<GrantedLatency?>(nil)
    /// The longest latency that was measured, a number of seconds, as bits.
    private let longest = Atomic<UInt64>(0)

    var latency: GrantedLatency? {
        var granted = granted.withLock { $0 }
        granted?.measuredSeconds = longestSeconds
        return granted
    }

    /// 0 before anything was measured.
    var longestSeconds: Double { @_noLocks get { Double(bitPattern: longest.load(ordering: .relaxed)) } }

    /// 0 before the server has described the device.
    var deviceSampleRate: Double { granted.withLock { $0?.deviceSampleRate ?? 0 } }

    var deviceName: String? { granted.withLock { $0?.deviceName } }

    // MARK: Loop thread

    func set(targetFrames: Int, requestFrames: Int, deviceName: String?) {
        granted.withLock { granted in
            granted = GrantedLatency(
                targetFrames: targetFrames, requestFrames: requestFrames, measuredSeconds: 0,
                deviceName: deviceName ?? "unknown", deviceSampleRate: granted?.deviceSampleRate ?? 0,
                deviceChannels: granted?.deviceChannels ?? 0)
        }
    }

    func setDevice(_ info: DeviceInfo) {
        granted.withLock { granted in
            granted?.deviceSampleRate = info.sampleRate
            granted?.deviceChannels = info.channels
        }
    }

    /// Forgets what was measured, since a new timeline begins.
    func restart() { longest.store(0, ordering: .relaxed) }

    /// REAL-TIME.
    @_noLocks func measured(seconds: Double) {
        if seconds > longestSeconds { longest.store(seconds.bitPattern, ordering: .relaxed) }
    }
}
