// SPDX-License-Identifier: MIT

package import AQDevices

/// The settings of the process's audio session: what the program has requested.
///
/// Sound servers have no sessions, so most settings are only kept. The I/O buffer duration is that of I/O units, and the
/// category selects the directions of the route. Category and mode give the role of streams, by which servers decide
/// which of them to pause.
package struct SessionSettings: Sendable, Equatable {
    package enum Category: Sendable, CaseIterable {
        case ambient, soloAmbient, playback, record, playAndRecord, multiRoute, audioProcessing

        package var usesOutput: Bool { self != .record && self != .audioProcessing }
        package var usesInput: Bool { self == .record || self == .playAndRecord || self == .multiRoute }
        /// Whether a program may select that other programs' audio continues.
        package var canMixWithOthers: Bool {
            self == .playback || self == .playAndRecord || self == .multiRoute
        }
    }

    package enum Mode: Sendable, CaseIterable {
        case `default`, voiceChat, gameChat, videoRecording, measurement, moviePlayback, videoChat,
            spokenAudio
        case voicePrompt

        /// Returns whether a session of the category can have the mode.
        package func isAllowed(in category: Category) -> Bool {
            switch self {
            case .default, .measurement: true
            case .voiceChat, .gameChat, .videoChat: category == .playAndRecord
            case .videoRecording: category == .playAndRecord || category == .record
            case .moviePlayback: category == .playback
            case .spokenAudio, .voicePrompt: category.usesOutput
            }
        }
    }

    package private(set) var category = Category.soloAmbient
    package private(set) var mode = Mode.default
    /// Whether the program has set a category or a mode.
    private var isChosen = false
    /// Whether other programs' audio may continue while the session is active.
    package var mixesWithOthers = false
    /// Whether other programs' audio should be quieter while the session is active.
    package var ducksOthers = false
    /// Whether the speaker is preferred to the receiver.
    package var defaultsToSpeaker = false
    /// Whether microphones of Bluetooth devices may be used.
    package var allowsBluetoothInput = false
    /// Whether the program has replaced the category's usual output by the speaker.
    package var overridesToSpeaker = false
    package var isActive = false
    /// The requested sample rate of the hardware, in hertz; 0 for no request.
    package var preferredSampleRate = 0.0
    /// The requested duration of an I/O buffer, in seconds; 0 for no request.
    package var preferredIOBufferSeconds = 0.0
    /// The requested microphone: the name of its source; nil for the default source.
    package var preferredInput: String?
    /// The requested numbers of channels; 0 for no request.
    package var preferredInputChannels = 0
    package var preferredOutputChannels = 0
    /// Whether the program has muted its microphones: recordings are silent.
    package var isInputMuted = false
    /// The category's options that have no field here, as the raw value of AVFAudio's option set. They have no effect.
    package var furtherOptions: UInt = 0
    /// The raw value of AVFAudio's policy for sharing routes. It has no effect.
    package var routeSharingPolicy: UInt = 0

    package init() {}

    /// Changes the category. The options are those of the new category: they have to be set again. A mode that the
    /// category does not allow becomes the default.
    package mutating func setCategory(_ category: Category) {
        isChosen = true
        guard category != self.category else { return }
        self.category = category
        mixesWithOthers = false
        defaultsToSpeaker = false
        allowsBluetoothInput = false
        overridesToSpeaker = false
        furtherOptions = 0
        routeSharingPolicy = 0
        if !mode.isAllowed(in: category) { mode = .default }
    }

    /// Changes the mode.
    ///
    /// - Returns: False if the category does not allow the mode.
    package mutating func setMode(_ mode: Mode) -> Bool {
        guard mode.isAllowed(in: category) else { return false }
        self.mode = mode
        isChosen = true
        if mode == .voiceChat { allowsBluetoothInput = true }
        return true
    }

    // MARK: Roles of streams

    /// The role of streams that play; nil if the program has set neither a category nor a mode.
    package var playbackRole: StreamRole? {
        guard isChosen else { return nil }
        return switch mode {
        case .voiceChat, .gameChat, .videoChat: .phone
        case .moviePlayback, .videoRecording: .video
        case .voicePrompt: .event
        case .default, .measurement, .spokenAudio: category == .ambient ? .game : .music
        }
    }

    /// The role of streams that record.
    package var recordingRole: StreamRole {
        switch mode {
        case .voiceChat, .gameChat, .videoChat: .phone
        case .default, .measurement, .spokenAudio, .moviePlayback, .videoRecording, .voicePrompt: .production
        }
    }

    // MARK: I/O buffers

    /// The sizes of I/O buffers, in frames of the device.
    package static let ioBufferFrames = 64...4096
    /// The size without a request.
    package static let usualIOBufferFrames = 1024

    /// The duration of an I/O buffer at a device's rate: the requested one, within ``ioBufferFrames``.
    package func ioBufferSeconds(sampleRate: Double) -> Double {
        let rate = sampleRate > 0 ? sampleRate : 44_100
        guard preferredIOBufferSeconds > 0 else { return Double(Self.usualIOBufferFrames) / rate }
        let shortest = Double(Self.ioBufferFrames.lowerBound) / rate
        let longest = Double(Self.ioBufferFrames.upperBound) / rate
        return min(max(preferredIOBufferSeconds, shortest), longest)
    }

    /// The size of an I/O buffer in whole frames, for I/O units.
    package func ioBufferFrames(sampleRate: Double) -> Int {
        let rate = sampleRate > 0 ? sampleRate : 44_100
        return Int((ioBufferSeconds(sampleRate: rate) * rate).rounded())
    }
}
