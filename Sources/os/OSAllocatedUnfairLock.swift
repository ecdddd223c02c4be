// SPDX-License-Identifier: MIT

import CAQPortability

/// A lock in allocated memory, which may contain the value that it guards.
@safe public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
    // SAFETY: the value is accessed only with the lock held.

    /// The expected owner of the lock.
    public enum Ownership: Sendable, Hashable { case owner, notOwner }

    @safe private final class Storage {
        let lock = UnsafeMutablePointer<os_unfair_lock>.allocate(capacity: 1)
        var state: State

        init(_ state: State) {
            self.state = state
            unsafe lock.initialize(to: os_unfair_lock())
        }

        deinit { unsafe lock.deallocate() }
    }

    private let storage: Storage

    public init(uncheckedState initialState: State) { storage = Storage(initialState) }

    public init(initialState: State) where State: Sendable { storage = Storage(initialState) }

    /// Calls `body` with the value and the lock held.
    public func withLockUnchecked<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        unsafe os_unfair_lock_lock(storage.lock)
        defer { unsafe os_unfair_lock_unlock(storage.lock) }
        return try body(&storage.state)
    }

    /// Calls `body` with the value and the lock held.
    public func withLock<Result: Sendable>(
        _ body: @Sendable (inout State) throws -> Result
    ) rethrows -> Result {
        try withLockUnchecked(body)
    }

    /// Calls `body` with the value and the lock held; returns nil if a thread holds the lock.
    public func withLockIfAvailableUnchecked<Result>(
        _ body: (inout State) throws -> Result
    ) rethrows -> Result? {
        guard unsafe os_unfair_lock_trylock(storage.lock) else { return nil }
        defer { unsafe os_unfair_lock_unlock(storage.lock) }
        return try body(&storage.state)
    }

    /// Calls `body` with the value and the lock held; returns nil if a thread holds the lock.
    public func withLockIfAvailable<Result: Sendable>(
        _ body: @Sendable (inout State) throws -> Result
    ) rethrows -> Result? {
        try withLockIfAvailableUnchecked(body)
    }

    /// Ends the process unless the condition holds.
    public func precondition(_ condition: Ownership) {
        switch condition {
        case .owner: unsafe os_unfair_lock_assert_owner(storage.lock)
        case .notOwner: unsafe os_unfair_lock_assert_not_owner(storage.lock)
        }
    }
}

extension OSAllocatedUnfairLock where State == Void {
    public init() { self.init(uncheckedState: ()) }

    public func lock() { unsafe os_unfair_lock_lock(storage.lock) }
    public func unlock() { unsafe os_unfair_lock_unlock(storage.lock) }
    /// Takes the lock unless a thread holds it; returns whether the lock was taken.
    public func lockIfAvailable() -> Bool { unsafe os_unfair_lock_trylock(storage.lock) }

    public func withLockUnchecked<Result>(_ body: () throws -> Result) rethrows -> Result {
        try withLockUnchecked { (_: inout Void) in try body() }
    }

    public func withLock<Result: Sendable>(_ body: @Sendable () throws -> Result) rethrows -> Result {
        try withLockUnchecked { (_: inout Void) in try body() }
    }
}
