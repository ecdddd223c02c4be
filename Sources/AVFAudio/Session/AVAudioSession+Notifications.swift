// SPDX-License-Identifier: MIT

public import Foundation

// The keys of user info of notifications. Each is named as its value. Numbers are `UInt`, not `NSNumber`.

/// The raw value of an ``AVAudioSession/InterruptionType``.
public let AVAudioSessionInterruptionTypeKey = "AVAudioSessionInterruptionTypeKey"
/// The raw value of ``AVAudioSession/InterruptionOptions``, when an interruption ends.
public let AVAudioSessionInterruptionOptionKey = "AVAudioSessionInterruptionOptionKey"
/// The raw value of an ``AVAudioSession/InterruptionReason``, when an interruption begins.
public let AVAudioSessionInterruptionReasonKey = "AVAudioSessionInterruptionReasonKey"
/// An older key that no notification has.
public let AVAudioSessionInterruptionWasSuspendedKey = "AVAudioSessionInterruptionWasSuspendedKey"
/// The raw value of an ``AVAudioSession/RouteChangeReason``.
public let AVAudioSessionRouteChangeReasonKey = "AVAudioSessionRouteChangeReasonKey"
/// The ``AVAudioSessionRouteDescription`` before the change.
public let AVAudioSessionRouteChangePreviousRouteKey = "AVAudioSessionRouteChangePreviousRouteKey"
/// The raw value of an ``AVAudioSession/SilenceSecondaryAudioHintType``.
public let AVAudioSessionSilenceSecondaryAudioHintTypeKey = "AVAudioSessionSilenceSecondaryAudioHintTypeKey"
/// Whether the output is muted.
public let AVAudioSessionMuteStateKey = "AVAudioSessionMuteStateKey"

/// The notifications. All are posted one after the other on a queue of the library, not on the main one, with the
/// session as their object, from the first call of ``AVAudioSession/sharedInstance()`` on.
extension AVAudioSession {
    /// The audio of the active session has stopped since the sound server has ended, or can resume since the server is
    /// there again. Queues and I/O units resume by themselves.
    public static let interruptionNotification = Notification.Name("AVAudioSessionInterruptionNotification")
    /// The devices of the route, the category, or the preferred input have changed.
    public static let routeChangeNotification = Notification.Name("AVAudioSessionRouteChangeNotification")
    /// The sound server has ended.
    public static let mediaServicesWereLostNotification = Notification.Name(
        "AVAudioSessionMediaServicesWereLostNotification")
    /// The sound server is there again.
    public static let mediaServicesWereResetNotification = Notification.Name(
        "AVAudioSessionMediaServicesWereResetNotification")
    /// Never posted: the server mixes the audio of all programs.
    public static let silenceSecondaryAudioHintNotification = Notification.Name(
        "AVAudioSessionSilenceSecondaryAudioHintNotification")
    /// There is a microphone now, or none any more.
    public static let availableInputsChangeNotification = Notification.Name(
        "AVAudioSessionAvailableInputsChangeNotification")
    /// Never posted: a program cannot mute the output.
    public static let outputMuteStateChangeNotification = Notification.Name(
        "AVAudioSessionOutputMuteStateChangeNotification")

    public enum InterruptionType: UInt, Sendable {
        case began = 1
        case ended = 0
    }

    public struct InterruptionOptions: OptionSet, Hashable, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// The program can play again.
        public static let shouldResume = InterruptionOptions(rawValue: 1)
    }

    public enum InterruptionReason: UInt, Sendable {
        case `default` = 0
        case appWasSuspended = 1
        case builtInMicMuted = 2
        case sceneWasBackgrounded = 3
        case routeDisconnected = 4
    }

    public enum RouteChangeReason: UInt, Sendable {
        case unknown = 0
        case newDeviceAvailable = 1
        case oldDeviceUnavailable = 2
        case categoryChange = 3
        /// Another device that existed before was selected.
        case override = 4
        case wakeFromSleep = 6
        case noSuitableRouteForCategory = 7
        /// The same device has other channels.
        case routeConfigurationChange = 8
    }

    public enum SilenceSecondaryAudioHintType: UInt, Sendable {
        case begin = 1
        case end = 0
    }
}
