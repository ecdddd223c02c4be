import Glibc

/// How loud the two sides are as the sound is moved from one to the other.
enum BalanceLaw {
    /// No side is ever louder than in the middle.
    case maximumOfOne
    /// The side that the sound moves to grows by up to 3 dB, so that the power of both stays the same.
    case equalPower

    /// The gain of a channel.
    ///
    /// - Parameters:
    ///   - side: Where the channel is: negative and positive are the sides, and what lies between is left alone.
    ///   - position: Where the sound is to be: -1 to 1, as `side`. Beyond is taken for the end.
    func gain(side: Float, position: Float) -> Float {
        guard abs(side) > Self.middle else { return 1 }
        let towards = min(max(side < 0 ? -position : position, -1), 1)
        switch self {
        case .maximumOfOne: return min(1 + towards, 1)
        case .equalPower: return Float(2).squareRoot() * sinf((towards + 1) * .pi / 4)
        }
    }

    /// What angles that are no exact numbers leave of 0.
    private static let middle: Float = 1e-4
}
