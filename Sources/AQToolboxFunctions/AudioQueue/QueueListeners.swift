// SPDX-License-Identifier: MIT

import AudioQueues
import CAQAudioToolbox

/// The property listeners that a client has added to a queue through the published interface.
///
/// The engine identifies a listener by its token; the published interface by the arguments with which it was
/// added.
struct QueueListeners: Sendable {
    /// The identity of a listener: functions and data are compared by their addresses.
    struct Key: Sendable, Equatable {
        let property: AudioQueuePropertyID
        let function: UInt
        let userData: UInt

        init(
            _ property: AudioQueuePropertyID, _ function: AudioQueuePropertyListenerProc,
            _ userData: UnsafeMutableRawPointer?
        ) {
            self.property = property
            self.function = unsafe unsafeBitCast(function, to: UInt.self)
            self.userData = UInt(bitPattern: userData)
        }
    }

    /// The listeners; the token is nil for a property that changes only by being set.
    private var entries: [(key: Key, token: QueueListenerToken?)] = []

    mutating func add(_ key: Key, _ token: QueueListenerToken?) { entries.append((key, token)) }

    /// Removes the listener of this key that was added last.
    ///
    /// - Returns: The listener's token, to be removed from the engine outside the lock.
    mutating func remove(_ key: Key) -> QueueListenerToken? {
        guard let index = entries.lastIndex(where: { $0.key == key }) else { return nil }
        return entries.remove(at: index).token
    }
}

/// A client's function for a changed property.
@safe struct ListenerCallback: @unchecked Sendable {
    // SAFETY: by its contract the client's code and data may be used on the threads of callbacks, one call at
    // a time.
    private let function: AudioQueuePropertyListenerProc
    private let userData: UnsafeMutableRawPointer?
    private let queue: AudioQueueRef
    private let property: AudioQueuePropertyID

    init(
        _ function: @escaping AudioQueuePropertyListenerProc, _ userData: UnsafeMutableRawPointer?,
        _ queue: AudioQueueRef, _ property: AudioQueuePropertyID
    ) {
        unsafe self.function = function
        unsafe self.userData = userData
        unsafe self.queue = queue
        self.property = property
    }

    func callAsFunction() { unsafe function(userData, queue, property) }
}
