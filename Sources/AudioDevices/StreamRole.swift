/// The purpose of a stream's audio, by which a sound server chooses devices and decides which streams give way.
///
/// PulseAudio pauses streams of ``music`` and ``video`` while one of ``phone`` plays or records, unless its
/// administrator has chosen otherwise. The values are PulseAudio's names of the roles (`media.role`).
public enum StreamRole: String, Sendable, CaseIterable {
    case video, music, game
    /// A short sound that reports something.
    case event
    /// A conversation.
    case phone
    case animation
    /// Audio that is being made: recorded, mixed or edited.
    case production
    /// Speech and signals for people who cannot see or hear well.
    case accessibility = "a11y"
    case test
}
