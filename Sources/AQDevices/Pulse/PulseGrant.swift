// SPDX-License-Identifier: MIT

import Synchronization

/// The granted buffer of a stream, its device, and its latency. May be used from any thread.
final class PulseGrant: Sendable {
    private let granted = Monitor<GrantedLatency?>(nil)
    /// The longest measured latency, in seconds, as the bits of a Double.
    private let longest = Atomic<UInt64>(0)

    var latency: GrantedLatency? {
        var granted = granted.withLock { $0 }
        granted?.measuredSeconds = longestSeconds
        return granted
    }

    /// The longest measured latency, in seconds; 0 before the first measurement.
    var longestSeconds: Double { @_noLocks get { Double(bitPattern: longest.load(ordering: .relaxed)) } }

    /// The device's sample rate, in hertz; 0 before the server has described the device.
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

    /// Clears the measurement, because a new timeline begins.
    func restart() { longest.store(0, ordering: .relaxed) }

    /// Records a measured latency. REAL-TIME.
    @_noLocks func measured(seconds: Double) {
        if seconds > longestSeconds { longest.store(seconds.bitPattern, ordering: .relaxed) }
    }
}
