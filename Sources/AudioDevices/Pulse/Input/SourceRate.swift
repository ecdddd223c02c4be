/// How fast the source's clock goes, through places a second apart. Belongs to the device's thread.
struct SourceRate {
    private static let leastNanoseconds: UInt64 = 1_000_000_000

    private var fit: ClockFit
    /// The host time of the newest place.
    private var newest: UInt64 = 0

    init(sampleRate: Double) { fit = ClockFit(sampleRate: sampleRate) }

    /// Frames a nanosecond. REAL-TIME.
    var rate: Double { @_noLocks get { fit.rate } }

    /// Begins anew, the rate known so far being a good guess.
    mutating func restart() { fit.restart() }

    /// Begins anew with another source.
    mutating func reset() { fit.reset() }

    /// REAL-TIME.
    @_noLocks mutating func add(frame: Int64, at hostTime: UInt64) {
        if hostTime <= newest &+ SourceRate.leastNanoseconds { return }
        newest = hostTime
        _ = fit.add(frame: Double(frame), at: hostTime)
    }
}
