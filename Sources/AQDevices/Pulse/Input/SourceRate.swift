// SPDX-License-Identifier: MIT

/// The rate of the source's clock, from positions a second apart. Belongs to the device's thread.
struct SourceRate {
    private static let leastNanoseconds: UInt64 = 1_000_000_000

    private var fit: ClockFit
    /// The host time of the newest position.
    private var newest: UInt64 = 0

    init(sampleRate: Double) { fit = ClockFit(sampleRate: sampleRate) }

    /// Frames per nanosecond. REAL-TIME.
    var rate: Double { @_noLocks get { fit.rate } }

    /// Restarts with the known rate as an estimate.
    mutating func restart() { fit.restart() }

    /// Restarts for another source.
    mutating func reset() { fit.reset() }

    /// Adds a position, unless less than a second has passed since the newest one. REAL-TIME.
    @_noLocks mutating func add(frame: Int64, at hostTime: UInt64) {
        if hostTime <= newest &+ SourceRate.leastNanoseconds { return }
        newest = hostTime
        _ = fit.add(frame: Double(frame), at: hostTime)
    }
}
