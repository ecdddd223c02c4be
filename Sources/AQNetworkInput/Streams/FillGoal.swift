// SPDX-License-Identifier: MIT

/// The amount of audio that has to arrive before it is read.
struct FillGoal {
    /// The duration of the audio, in seconds.
    private(set) var seconds: Double
    /// The duration at first, in seconds.
    private let firstSeconds: Double
    /// The longest duration, in seconds.
    let mostSeconds: Double
    /// The bit rate of the stream in bits per second; nil if it is not known.
    var bitRate: Double?
    /// The bit rate that is assumed if it is not known, in bits per second.
    var likelyBitRate = 128_000.0
    /// The time at which the first bytes arrived, in seconds; nil before.
    private var start: Double?

    init(seconds: Double, mostSeconds: Double) {
        (self.seconds, firstSeconds, self.mostSeconds) = (seconds, seconds, mostSeconds)
    }

    /// The number of bytes.
    var bytes: Int { Int(min(max(seconds * Self.margin * (bitRate ?? likelyBitRate) / 8, 1), 1e9)) }

    /// The first packets may be used up to find where packets begin.
    private static let margin = 1.25

    /// Begins anew after a gap, with a longer time, because this one was too short.
    mutating func lengthen() {
        start = nil
        seconds = min(max(2 * seconds, 1), mostSeconds)
    }

    /// Begins anew with the first time.
    mutating func restart() { (start, seconds) = (nil, firstSeconds) }

    /// Whether enough has arrived. A broadcast arrives as fast as it is played, so the time suffices if the bit rate is
    /// not known.
    ///
    /// - Parameter time: The present time, in seconds.
    mutating func isReached(bytes available: Int, at time: Double) -> Bool {
        guard available > 0 else { return false }
        let start = self.start ?? time
        self.start = start
        return available >= bytes || bitRate == nil && time - start >= seconds * Self.margin
    }
}
