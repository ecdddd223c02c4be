// SPDX-License-Identifier: MIT

import AQSessions
import Synchronization
import Dispatch
public import Foundation
import AQThreads

/// The permission of this program to record, and whether it has muted its microphones.
///
/// May be used from any thread.
open class AVAudioApplication: NSObject, @unchecked Sendable {
    // SAFETY: only a lock with its state.

    // swift-format-ignore: TypeNamesShouldBeCapitalized
    /// Whether a program may record. The raw values are the characters of 'undt', 'deny' and 'grnt'.
    public enum recordPermission: Int, Sendable {
        case undetermined = 0x756E_6474
        case denied = 0x6465_6E79
        case granted = 0x6772_6E74
    }

    /// The one object.
    public static let shared = AVAudioApplication()

    private let muteHandler = Monitor<MuteHandler?>(nil)

    // MARK: Permission

    /// Calls a function with true, on a thread of the library: the sound server decides whether a program may record.
    open class func requestRecordPermission(completionHandler response: @escaping @Sendable (Bool) -> Void) {
        DispatchQueue.global().async { response(true) }
    }

    /// Returns true: the sound server decides whether a program may record.
    open class func requestRecordPermission() async -> Bool { true }

    /// Always ``recordPermission-swift.enum/granted``.
    open var recordPermission: AVAudioApplication.recordPermission { .granted }

    // MARK: Muting

    /// Posted when ``isInputMuted`` has changed, on a queue of the library. The object is ``shared``; user info has
    /// ``muteStateKey``.
    public static let inputMuteStateChangeNotification = NSNotification.Name(
        "AVAudioApplicationInputMuteStateChangeNotification")

    /// The key of a `Bool`: whether the input is muted.
    public static let muteStateKey = "AVAudioApplicationMuteStateKey"

    /// Mutes the recorders, engines and capture sessions of this program, or ends this. Muted recordings are silent.
    ///
    /// The handler of ``setInputMuteStateChangeHandler(_:)`` is called first, on this thread.
    ///
    /// - Throws: ``AVAudioSession/ErrorCode/unspecified`` if the handler returns false; the state then remains.
    open func setInputMuted(_ muted: Bool) throws {
        guard muted != isInputMuted else { return }
        if let handler = muteHandler.withLock({ $0 }), !handler.call(muted) {
            throw AVAudioSession.failure(
                .unspecified, "cannot \(muted ? "mute" : "unmute") the input: the handler has refused")
        }
        let isChanged = AudioSession.shared.change { settings in
            defer { settings.isInputMuted = muted }
            InputMute.isMuted.store(muted, ordering: .relaxed)
            return settings.isInputMuted != muted
        }
        guard isChanged else { return }
        SessionState.notificationQueue.async {
            NotificationCenter.default.post(
                name: AVAudioApplication.inputMuteStateChangeNotification, object: AVAudioApplication.shared,
                userInfo: [AVAudioApplication.muteStateKey: muted])
        }
    }

    /// Whether the program has muted its recordings.
    open var isInputMuted: Bool { AudioSession.shared.settings.isInputMuted }

    /// Sets the function that ``setInputMuted(_:)`` calls before a change; nil for none. Never throws.
    ///
    /// - Parameter handler: Receives whether to mute, and returns whether it has done so.
    open func setInputMuteStateChangeHandler(_ handler: ((Bool) -> Bool)?) throws {
        let box = handler.map { MuteHandler(call: $0) }
        let old = muteHandler.withLock { current in
            defer { current = box }
            return current
        }
        // Released outside the lock, because a release may run a client's code.
        withExtendedLifetime(old) {}
    }
}
