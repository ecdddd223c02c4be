// SPDX-License-Identifier: MIT

/// The algorithm for the rate and the pitch of playback, with the published values.
package enum TimePitchAlgorithm: UInt32, Sendable, CaseIterable {
    /// The best quality; rate and pitch are independent.
    case spectral = 0x7370_6563
    /// A lower cost; changes the rate and keeps the pitch.
    case timeDomain = 0x7469_646F
    /// A pitch that follows the rate, as on a tape.
    case varispeed = 0x7673_7064
}
