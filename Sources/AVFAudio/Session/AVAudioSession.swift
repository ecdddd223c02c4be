// SPDX-License-Identifier: MIT

import AQSessions
import Dispatch
public import Foundation

/// The audio session of the process: how it plays and records, and the devices that it uses.
///
/// Sound servers have no sessions: all programs may play at the same time. The category selects the directions of
/// ``currentRoute``, the preferred duration of I/O buffers is that of I/O units, and the preferred input is that of
/// recorders. All other settings are kept, and have no effect unless their description says so.
///
/// All members may be used from any thread. Setters never wait. Properties of the hardware query the sound server, and
/// wait for its answer, so render callbacks must not read them; without a server they have the values that their
/// descriptions state. Properties cannot be observed by their key paths: ``routeChangeNotification`` reports changes of
/// the devices.
///
/// Errors have the domain `NSOSStatusErrorDomain` and a code of ``ErrorCode``.
///
/// The corresponding functions of C are those of `AudioSession`, and the session is the same.
open class AVAudioSession: NSObject, @unchecked Sendable {
    // SAFETY: a constant, which may be used from any thread.

    let state: SessionState

    /// Makes a reference to the session of the process. Use ``sharedInstance()``, whose object notifications name.
    public override init() {
        state = .shared
        super.init()
    }

    /// Makes a session over other devices, for tests.
    init(_ state: SessionState) {
        self.state = state
        super.init()
    }

    private static let shared = AVAudioSession()

    /// Returns the session of the process. From the first call on, changes are reported by notifications.
    open class func sharedInstance() -> AVAudioSession {
        SessionState.shared.observe(for: shared)
        return shared
    }

    // MARK: Category

    /// Changes the category, without options.
    ///
    /// - Throws: As ``setCategory(_:mode:policy:options:)``.
    open func setCategory(_ category: Category) throws {
        try state.setCategory(category, mode: nil, policy: .default, options: [])
    }

    /// Changes the category and its options. The mode stays if the category allows it.
    ///
    /// - Throws: As ``setCategory(_:mode:policy:options:)``.
    open func setCategory(_ category: Category, options: CategoryOptions = []) throws {
        try state.setCategory(category, mode: nil, policy: .default, options: options)
    }

    /// Changes the category, the mode and the options.
    ///
    /// - Throws: As ``setCategory(_:mode:policy:options:)``.
    open func setCategory(_ category: Category, mode: Mode, options: CategoryOptions = []) throws {
        try state.setCategory(category, mode: mode, policy: .default, options: options)
    }

    /// Changes the category, the mode, the policy and the options. If it throws, nothing has changed.
    ///
    /// Another category is reported by ``routeChangeNotification`` once the server has answered after the first use of
    /// the session.
    ///
    /// - Parameters:
    ///   - category: Selects the directions of the route.
    ///   - mode: Kept.
    ///   - policy: Kept, without effect.
    ///   - options: Kept. The server mixes the audio of all programs, and quietens others only according to the role of
    ///     a stream.
    /// - Throws: ``ErrorCode/badParam`` for an unknown category, mode or option, and for options that the category does
    ///   not allow: ``CategoryOptions/defaultToSpeaker`` and ``CategoryOptions/allowAirPlay`` need
    ///   ``Category/playAndRecord``, ``CategoryOptions/allowBluetoothHFP`` needs that or ``Category/record``;
    ///   ``ErrorCode/incompatibleCategory`` for a mode that the category does not allow.
    ///
    /// The corresponding C properties are `kAudioSessionProperty_AudioCategory` and those of its overrides.
    open func setCategory(
        _ category: Category, mode: Mode, policy: RouteSharingPolicy, options: CategoryOptions = []
    ) throws {
        try state.setCategory(category, mode: mode, policy: policy, options: options)
    }

    /// The category, at first ``Category/soloAmbient``.
    open var category: Category { Category(state.core.settings.category) }

    /// The options of the category, at first none. The mode ``Mode/voiceChat`` adds
    /// ``CategoryOptions/allowBluetoothHFP``.
    open var categoryOptions: CategoryOptions { CategoryOptions(state.core.settings) }

    /// The policy of the last change of the category.
    open var routeSharingPolicy: RouteSharingPolicy {
        RouteSharingPolicy(rawValue: state.core.settings.routeSharingPolicy) ?? .default
    }

    /// All categories.
    open var availableCategories: [Category] { Category.all }

    // MARK: Mode

    /// Changes the mode.
    ///
    /// - Throws: ``ErrorCode/badParam`` for an unknown mode, ``ErrorCode/incompatibleCategory`` for one that the
    ///   category does not allow.
    ///
    /// The corresponding C property is `kAudioSessionProperty_Mode`.
    open func setMode(_ mode: Mode) throws { try state.setMode(mode) }

    /// The mode, at first ``Mode/default``.
    open var mode: Mode { state.mode }

    /// All modes.
    open var availableModes: [Mode] { Mode.all }

    // MARK: Activation

    /// Activates or deactivates the session.
    ///
    /// An active session is interrupted when the sound server ends. Audio that plays continues after a deactivation,
    /// and no other program waits for it, so the options have no effect. Never throws.
    ///
    /// The corresponding C function is `AudioSessionSetActive`.
    open func setActive(_ active: Bool, options: SetActiveOptions = []) throws {
        state.core.change { $0.isActive = active }
    }

    /// Activates the session.
    ///
    /// - Parameter handler: Called with true and without an error, on a thread of the library.
    open func activate(
        options: AVAudioSessionActivationOptions = [],
        completionHandler handler: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        state.core.change { $0.isActive = true }
        DispatchQueue.global().async { handler(true, nil) }
    }

    /// Activates the session, and returns true.
    open func activate(options: AVAudioSessionActivationOptions = []) async throws -> Bool {
        state.core.change { $0.isActive = true }
        return true
    }

    // MARK: Permission

    /// Calls a function with true, on a thread of the library. The sound server decides whether a program may record.
    open func requestRecordPermission(_ response: @escaping (Bool) -> Void) {
        let handler = PermissionHandler(call: response)
        DispatchQueue.global().async { handler.call(true) }
    }

    /// Always ``RecordPermission/granted``.
    open var recordPermission: RecordPermission { .granted }
}
