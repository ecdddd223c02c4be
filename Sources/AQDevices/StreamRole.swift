// SPDX-License-Identifier: MIT

/// The purpose of a stream's audio. A sound server uses it to select devices and to decide which streams to pause.
///
/// PulseAudio pauses streams of ``music`` and ``video`` while a stream of ``phone`` plays or records, unless its
/// configuration says otherwise. The values are PulseAudio's role names (`media.role`).
public enum StreamRole: String, Sendable, CaseIterable {
    case video, music, game
    /// A short notification, such as an alert.
    case event
    /// A conversation.
    case phone
    case animation
    /// The production of audio: recording, mixing or editing.
    case production
    /// Speech and signals for people with impaired sight or hearing.
    case accessibility = "a11y"
    case test
}
