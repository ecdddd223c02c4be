// SPDX-License-Identifier: MIT

import Glibc

/// The loudness of the two sides as the audio is moved from one to the other.
enum BalanceLaw {
    /// A gain of at most 1, which both sides have in the middle.
    case maximumOfOne
    /// A constant total power: the side that the audio moves to gains up to 3 dB.
    case equalPower

    /// The gain of a channel.
    ///
    /// - Parameters:
    ///   - side: The channel's side: negative or positive; channels in between are not changed.
    ///   - position: The position of the audio: -1 to 1, with the signs of `side`. Values outside are clamped.
    func gain(side: Float, position: Float) -> Float {
        guard abs(side) > Self.middle else { return 1 }
        let towards = min(max(side < 0 ? -position : position, -1), 1)
        switch self {
        case .maximumOfOne: return min(1 + towards, 1)
        case .equalPower: return Float(2).squareRoot() * sinf((towards + 1) * .pi / 4)
        }
    }

    /// The rounding error of a 0 that was computed from angles.
    private static let middle: Float = 1e-4
}
