// SPDX-License-Identifier: MIT

/// A client's function that is called on a thread of the library, although its type is not `@Sendable`.
struct PermissionHandler: @unchecked Sendable {
    // SAFETY: the published type has no such statement, and its contract allows any thread.
    let call: (Bool) -> Void
}

/// A client's function that mutes the input. Called on the thread that changes the state.
struct MuteHandler: @unchecked Sendable {
    // SAFETY: as above.
    let call: (Bool) -> Bool
}
