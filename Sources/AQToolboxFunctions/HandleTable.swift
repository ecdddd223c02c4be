// SPDX-License-Identifier: MIT

import AQThreads

/// The objects behind the handles of C programs.
///
/// A handle is a key and never an address. Nothing is read from the address that a program passes, because it may be
/// NULL, stale, from another table or arbitrary. No handle is used twice.
///
/// May be used from any thread. The lookup of an object takes no lock, because audio threads make it too.
final class HandleTable<Object: AnyObject & Sendable>: Sendable {
    private struct State {
        struct Slot {
            /// Whether the slot has an object: not while it is free, and never after its last generation.
            var isUsed = true
            /// The generation of the object; while the slot is free, that of the next object.
            var generation: UInt = 1
        }

        var slots: [Slot] = []
        /// Free slots that can be used again; the one freed last is at the end.
        var free: [UInt] = []

        /// The index of a handle's slot, unless its object was removed.
        func usedIndex(of key: HandleKey) -> Int? {
            guard key.index < UInt(slots.count) else { return nil }
            let slot = slots[Int(key.index)]
            return slot.isUsed && slot.generation == key.generation ? Int(key.index) : nil
        }
    }

    private let state = Monitor(State())
    /// The objects, which are changed with the state's lock held.
    private let objects = HandleObjects<Object>()
    private let tag = HandleKey.nextTag()

    init() {}

    /// Makes a handle for an object, which is retained until the handle is removed.
    ///
    /// - Returns: The handle; nil if the table is full, which callers report as `kAudio_MemFullError`.
    func insert(_ object: Object) -> OpaquePointer? {
        let key = state.withLock { state -> HandleKey? in
            var key = HandleKey(tag: tag, index: UInt(state.slots.count), generation: 1)
            if let index = state.free.popLast() {
                state.slots[Int(index)].isUsed = true
                key = HandleKey(tag: tag, index: index, generation: state.slots[Int(index)].generation)
            } else {
                guard key.index <= HandleKey.maximumIndex else { return nil }
                state.slots.append(State.Slot())
            }
            objects.insert(object, key)
            return key
        }
        return unsafe key?.handle
    }

    /// The object of a handle; nil for every value that is not, or no longer, a handle of this table.
    subscript(handle: OpaquePointer?) -> Object? {
        guard let key = unsafe key(of: handle) else { return nil }
        return objects[key]
    }

    /// Ends a handle.
    ///
    /// - Returns: The object of the handle; nil if there is none.
    @discardableResult
    func remove(_ handle: OpaquePointer?) -> Object? {
        guard let key = unsafe key(of: handle) else { return nil }
        let isLast = key.generation == HandleKey.maximumGeneration
        let isRemoved = state.withLock { state in
            guard let index = state.usedIndex(of: key) else { return false }
            state.slots[index].isUsed = false
            // After its last generation a slot is not used again: its first handle must not become valid again.
            if !isLast { state.slots[index].generation += 1 }
            return true
        }
        guard isRemoved else { return nil }
        // Without the lock, because it waits for readers.
        let object = objects.remove(key)
        if !isLast { state.withLock { $0.free.append(key.index) } }
        return object
    }

    /// Returns whether a handle of this table was removed.
    func isStale(_ handle: OpaquePointer?) -> Bool {
        guard let key = unsafe key(of: handle) else { return false }
        return state.withLock { state in
            guard key.index < UInt(state.slots.count), key.generation > 0 else { return false }
            let slot = state.slots[Int(key.index)]
            return key.generation < slot.generation
                || (key.generation == slot.generation && !slot.isUsed
                    && key.generation == HandleKey.maximumGeneration)
        }
    }

    private func key(of handle: OpaquePointer?) -> HandleKey? {
        guard let key = unsafe HandleKey(handle), key.tag == tag else { return nil }
        return key
    }
}
