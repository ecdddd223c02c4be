// SPDX-License-Identifier: MIT

/// The time of a slice's first frame.
package struct SliceTime: Sendable, Equatable, BitwiseCopyable {
    /// The number of the frame, in frames of the node's format.
    package var sampleTime: Int64
    /// The time at which the frame is audible, or was captured (CLOCK_MONOTONIC, nanoseconds); 0 if unknown.
    package var hostTime: UInt64

    package init(sampleTime: Int64, hostTime: UInt64 = 0) {
        self.sampleTime = sampleTime
        self.hostTime = hostTime
    }

    /// Returns the time of a later frame.
    package func advanced(frames: Int, sampleRate: Double) -> SliceTime {
        SliceTime(
            sampleTime: sampleTime + Int64(frames),
            hostTime: hostTime == 0 ? 0 : moved(hostTime, seconds: Double(frames) / sampleRate))
    }

    /// Returns a host time moved by seconds; at least 1, so that it stays valid.
    func moved(_ hostTime: UInt64, seconds: Double) -> UInt64 {
        let moved = Double(Int64(clamping: hostTime)) + (seconds * 1e9).rounded()
        return moved < 1 ? 1 : UInt64(moved)
    }
}
