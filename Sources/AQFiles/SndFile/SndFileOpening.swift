// SPDX-License-Identifier: MIT

import CAQSndFile
import Synchronization

/// The opening of libsndfile handles, one at a time, with the reason of a failure.
///
/// QUIRK: without a handle, libsndfile keeps the reason in a single variable for the whole process, which every opening
/// clears: another thread could clear or overwrite it.
enum SndFileOpening {
    private static let lock = Mutex(())

    /// Calls `open`. If it returns nil, throws the error that `failure` makes from the reason.
    ///
    /// - Parameter mayWait: Whether `open` reads from a pipe, whose data may never arrive. It then runs in parallel
    ///   with other calls, and the reason of a failure may be wrong.
    static func open(
        mayWait: Bool = false, _ open: () -> OpaquePointer?,
        failure: (_ number: CInt, _ reason: String) -> AudioFileError
    ) throws(AudioFileError) -> OpaquePointer {
        if mayWait { return try unsafe attempt(open, failure) }
        // A pointer cannot leave the lock, but its address can.
        let address = try lock.withLock { (_: inout Void) throws(AudioFileError) in
            unsafe UInt(bitPattern: try attempt(open, failure))
        }
        guard let handle = unsafe OpaquePointer(bitPattern: address) else { throw failure(0, "no handle") }
        return unsafe handle
    }

    private static func attempt(
        _ open: () -> OpaquePointer?, _ failure: (CInt, String) -> AudioFileError
    ) throws(AudioFileError) -> OpaquePointer {
        if let handle = unsafe open() { return unsafe handle }
        throw failure(sf_error(nil), SndFileFailure.lastMessage())
    }
}
