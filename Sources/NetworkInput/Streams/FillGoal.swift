/// The amount of audio that has to arrive before it is read.
struct FillGoal {
    /// The duration of the audio, in seconds.
    private(set) var seconds: Double
    /// The longest duration, in seconds.
    let mostSeconds: Double
    /// The bit rate of the stream in bits per second, as far as it is known.
    var bitRate: Double
    /// The time at which the first bytes arrived, in seconds; nil before.
    private var start: Double?

    init(seconds: Double, mostSeconds: Double, bitRate: Double) {
        (self.seconds, self.mostSeconds, self.bitRate) = (seconds, mostSeconds, bitRate)
    }

    /// The number of bytes.
    var bytes: Int { Int(min(max(seconds * bitRate / 8, 1), 1e9)) }

    /// Begins anew, after a gap.
    ///
    /// - Parameter isLonger: Whether the time was too short.
    mutating func restart(isLonger: Bool) {
        start = nil
        if isLonger { seconds = min(max(2 * seconds, 1), mostSeconds) }
    }

    /// Whether enough has arrived. A broadcast arrives as fast as it is played, so the duration suffices if the bit rate
    /// is lower than assumed.
    ///
    /// - Parameter time: The present time, in seconds.
    mutating func isReached(bytes available: Int, at time: Double) -> Bool {
        guard available > 0 else { return false }
        let start = self.start ?? time
        self.start = start
        return available >= bytes || time - start >= seconds
    }
}
