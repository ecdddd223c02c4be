// SPDX-License-Identifier: MIT

import AQSessions
import Foundation

/// A notification of AVFAudio that reports an event of the engine's session.
struct SessionNotification {
    var name: Notification.Name
    var userInfo: [String: Any] = [:]

    /// The notifications of an event, in order.
    static func all(for event: SessionEvent) -> [SessionNotification] {
        typealias Session = AVAudioSession
        switch event {
        case .routeChanged(let reason, let old, _):
            let info: [String: Any] = [
                AVAudioSessionRouteChangeReasonKey: Session.RouteChangeReason(reason).rawValue,
                AVAudioSessionRouteChangePreviousRouteKey: AVAudioSessionRouteDescription(old),
            ]
            return [SessionNotification(name: Session.routeChangeNotification, userInfo: info)]
        case .inputAvailabilityChanged:
            return [SessionNotification(name: Session.availableInputsChangeNotification)]
        case .outputChannelsChanged, .inputChannelsChanged, .outputVolumeChanged: return []
        case .serverLost: return [SessionNotification(name: Session.mediaServicesWereLostNotification)]
        case .serverReturned: return [SessionNotification(name: Session.mediaServicesWereResetNotification)]
        case .interruptionBegan:
            let info: [String: Any] = [
                AVAudioSessionInterruptionTypeKey: Session.InterruptionType.began.rawValue,
                AVAudioSessionInterruptionReasonKey: Session.InterruptionReason.default.rawValue,
            ]
            return [SessionNotification(name: Session.interruptionNotification, userInfo: info)]
        case .interruptionEnded:
            let info: [String: Any] = [
                AVAudioSessionInterruptionTypeKey: Session.InterruptionType.ended.rawValue,
                AVAudioSessionInterruptionOptionKey: Session.InterruptionOptions.shouldResume.rawValue,
            ]
            return [SessionNotification(name: Session.interruptionNotification, userInfo: info)]
        }
    }

    /// Calls the observers. Must not be called with a lock held.
    func post(from session: AVAudioSession) {
        NotificationCenter.default.post(
            name: name, object: session, userInfo: userInfo.isEmpty ? nil : userInfo)
    }
}

extension AVAudioSession.RouteChangeReason {
    init(_ reason: SessionRoute.ChangeReason) {
        self =
            switch reason {
            case .unknown: .unknown
            case .newDeviceAvailable: .newDeviceAvailable
            case .oldDeviceUnavailable: .oldDeviceUnavailable
            case .categoryChange: .categoryChange
            case .override: .override
            case .routeConfigurationChange: .routeConfigurationChange
            }
    }
}
