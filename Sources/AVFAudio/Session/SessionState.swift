// SPDX-License-Identifier: MIT

import AQDevices
import AQSessions
import Dispatch
import Foundation
import AQThreads

/// The state of sessions over the same devices: the engine's session, preferences without a field there, and the
/// observer that posts notifications.
final class SessionState: Sendable {
    static let shared = SessionState(.shared)

    let core: AudioSession
    let preferences = Monitor(SessionPreferences())
    /// The number of the observer; nil unless changes are observed.
    private let observer = Monitor<UInt64?>(nil)

    init(_ core: AudioSession) { self.core = core }

    // MARK: Notifications

    /// The queue on which all notifications are posted, in order and without a lock.
    static let notificationQueue = DispatchQueue(label: "aq session notifications")

    /// Begins to post notifications of changes, unless this has begun. Never waits for the server.
    ///
    /// - Parameter session: The object of the notifications.
    func observe(for session: AVAudioSession) {
        guard !ForkedChild.isCurrent, observer.withLock({ $0 == nil }) else { return }
        let number = core.addObserver { [weak session] event in
            guard let session else { return }
            Self.notificationQueue.async {
                for notification in SessionNotification.all(for: event) { notification.post(from: session) }
            }
        }
        guard let number else { return }
        let isSecond = observer.withLock { observer in
            guard observer == nil else { return true }
            observer = number
            return false
        }
        if isSecond { core.removeObserver(number) }
    }

    /// Ends the notifications, for tests.
    func endObservation() {
        let number = observer.withLock { $0.take() }
        if let number { core.removeObserver(number) }
    }

    // MARK: Devices

    /// The current devices; nil if no server answers.
    func devices() -> SessionDevices? {
        do throws(DeviceError) { return try core.devices() } catch { return nil }
    }

    /// The microphone that recordings use; nil if there is none.
    func input() -> DeviceInfo? { devices()?.selectedInput(preferring: core.settings.preferredInput) }

    /// The ports that the session uses, with the requested microphone.
    func route() -> SessionRoute {
        devices().map { SessionRoute($0, core.settings) } ?? SessionRoute()
    }
}
