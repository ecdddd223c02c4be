/// The algorithm for the rate and the pitch of playback, with the published values.
package enum TimePitchAlgorithm: UInt32, Sendable, CaseIterable {
    /// The best: rate and pitch are independent.
    case spectral = 0x7370_6563
    /// Cheaper: only the rate changes, the pitch is kept.
    case timeDomain = 0x7469_646F
    /// The pitch follows the rate, as on a tape.
    case varispeed = 0x7673_7064
}
