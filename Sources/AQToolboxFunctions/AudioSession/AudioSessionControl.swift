// SPDX-License-Identifier: MIT

import AQDevices
import AQSessions
public import CAQAudioToolbox
public import CoreFoundation

// The published functions that initialize and activate the audio session.

/// Initializes the session, before all other calls.
///
/// An interruption begins when the sound server ends while the session is active, and ends when the server has returned.
/// Queues then resume by themselves.
///
/// - Parameters:
///   - runLoop: The run loop for calls of all listeners; NULL for the main one.
///   - mode: The mode of the run loop; NULL for the default mode.
///   - listener: The interruption listener; may be NULL.
/// - Returns: `kAudioSessionAlreadyInitialized` for a further call; `kAudioSessionInitializationError` if memory or a
///   thread is missing, and in a forked child.
@_cdecl("AudioSessionInitialize")
public func audioSessionInitialize(
    _ runLoop: CFRunLoop?, _ mode: CFString?, _ listener: AudioSessionInterruptionListener?,
    _ clientData: UnsafeMutableRawPointer?
) -> OSStatus {
    if ForkedChild.isCurrent { return kAudioSessionInitializationError }
    return StatusError.result { () throws(StatusError) in
        try SessionClient.shared.initialize(
            runLoop: runLoop, mode: mode,
            unsafe listener.map { unsafe InterruptionListener($0, clientData) })
    }
}

/// Activates or deactivates the session. Servers have no sessions, so nothing else changes.
///
/// - Returns: `kAudioSessionNotInitialized`.
@_cdecl("AudioSessionSetActive")
public func audioSessionSetActive(_ isActive: Bool) -> OSStatus {
    audioSessionSetActiveWithFlags(isActive, 0)
}

/// Activates or deactivates the session.
///
/// - Parameter flags: Ignored: no other program waits for this session.
/// - Returns: `kAudioSessionNotInitialized`.
@_cdecl("AudioSessionSetActiveWithFlags")
public func audioSessionSetActiveWithFlags(_ isActive: Bool, _ flags: UInt32) -> OSStatus {
    sessionStatus { (client) throws(StatusError) in client.session.change { $0.isActive = isActive } }
}

/// Performs a function on the client of the process, and returns its result.
///
/// - Returns: `kAudioSessionNotInitialized` before the initialization, and in a forked child.
func sessionStatus(_ body: (SessionClient) throws(StatusError) -> Void) -> OSStatus {
    if ForkedChild.isCurrent { return kAudioSessionNotInitialized }
    return StatusError.result { () throws(StatusError) in
        let client = SessionClient.shared
        try client.requireInitialization()
        try body(client)
    }
}
