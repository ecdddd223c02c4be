/// How the rate and the pitch of playback are changed; with the published values.
package enum TimePitchAlgorithm: UInt32, Sendable, CaseIterable {
    /// The best: rate and pitch apart.
    case spectral = 0x7370_6563
    /// Cheaper: the rate alone, the pitch stays.
    case timeDomain = 0x7469_646F
    /// The pitch goes with the rate, as on a tape.
    case varispeed = 0x7673_7064
}
