// SPDX-License-Identifier: MIT

import AQDevices

/// A change of which a session's observers are notified.
package enum SessionEvent: Sendable, Equatable {
    case routeChanged(SessionRoute.ChangeReason, from: SessionRoute, to: SessionRoute)
    /// There is a microphone now, or none any more.
    case inputAvailabilityChanged(isAvailable: Bool)
    case outputChannelsChanged(Int)
    case inputChannelsChanged(Int)
    /// Another volume of the output, 0 to 1.
    case outputVolumeChanged(Double)
    /// The server has ended. Queues wait for it, and resume by themselves.
    case serverLost
    case serverReturned
    /// The audio of an active session has stopped, or the server has paused it for another stream.
    case interruptionBegan
    /// The audio can continue.
    case interruptionEnded
}

/// The state of a session's devices as a value: it compares them, and returns the events.
///
/// Performs no I/O.
struct SessionWatchState {
    /// The last devices that a server reported.
    private(set) var known = SessionDevices()
    private(set) var isServerLost = false
    /// Whether the server was lost while the session was active.
    private var wasLostActive = false
    private var isHeld = false

    /// Takes the first devices, which are no change; nil if no server answers.
    mutating func begin(with devices: SessionDevices?) {
        known = devices ?? SessionDevices()
        isServerLost = devices == nil
        (wasLostActive, isHeld) = (false, false)
    }

    /// Takes the current devices, and returns the events in order.
    ///
    /// - Parameters:
    ///   - devices: The devices; nil if no server answers.
    ///   - isHeld: Whether the server has paused the audio.
    mutating func take(
        _ devices: SessionDevices?, isHeld: Bool = false, for settings: SessionSettings
    ) -> [SessionEvent] {
        let wasInterrupted = isInterrupted
        var events: [SessionEvent] = []
        self.isHeld = isHeld
        if let devices {
            if isServerLost { events.append(.serverReturned) }
            events += Self.differences(from: known, to: devices, settings)
            (isServerLost, wasLostActive, known) = (false, false, devices)
        } else if !isServerLost {
            events.append(.serverLost)
            (isServerLost, wasLostActive) = (true, settings.isActive)
        }
        if isInterrupted != wasInterrupted {
            events.append(isInterrupted ? .interruptionBegan : .interruptionEnded)
        }
        return events
    }

    private var isInterrupted: Bool { wasLostActive || isHeld }

    /// Returns the change of the route by other settings; nil if there is none.
    func changeOfSettings(from before: SessionSettings, to now: SessionSettings) -> SessionEvent? {
        let isOtherCategory = before.category != now.category
        guard isOtherCategory || before.preferredInput != now.preferredInput else { return nil }
        let (old, new) = (SessionRoute(known, before), SessionRoute(known, now))
        if isOtherCategory { return .routeChanged(.categoryChange, from: old, to: new) }
        return old == new ? nil : .routeChanged(.override, from: old, to: new)
    }

    private static func differences(
        from before: SessionDevices, to now: SessionDevices, _ settings: SessionSettings
    ) -> [SessionEvent] {
        var events: [SessionEvent] = []
        let old = SessionRoute(before, settings)
        let new = SessionRoute(now, settings)
        if let reason = SessionDevices.reason(from: old, before, to: new, now) {
            events.append(.routeChanged(reason, from: old, to: new))
        }
        if (before.input == nil) != (now.input == nil) {
            events.append(.inputAvailabilityChanged(isAvailable: now.input != nil))
        }
        let outputChannels = now.output?.channels ?? 0
        if outputChannels != before.output?.channels ?? 0 {
            events.append(.outputChannelsChanged(outputChannels))
        }
        let inputChannels = now.input?.channels ?? 0
        if inputChannels != before.input?.channels ?? 0 {
            events.append(.inputChannelsChanged(inputChannels))
        }
        if let volume = now.outputVolume, volume != before.outputVolume {
            events.append(.outputVolumeChanged(volume))
        }
        return events
    }
}
