// SPDX-License-Identifier: MIT

import Synchronization

/// An object that is passed between threads in a ``PassedObjectList``, in one list at a time.
package class PassedObject: @unchecked Sendable {
    // SAFETY: only the list that has the object uses the link.
    fileprivate var next: UInt = 0
}

/// Objects that one thread passes to another without a lock. The list keeps them alive.
@safe final class PassedObjectList: Sendable {
    /// The address of the object that was added last; 0 for none.
    private let last = Atomic<UInt>(0)

    deinit { _ = takeAll() }

    var isEmpty: Bool { last.load(ordering: .acquiring) == 0 }

    /// Adds an object. Any thread, without waiting or allocating memory.
    func add(_ object: PassedObject) {
        // SAFETY: retained here, and released by the thread that takes it.
        let address = UInt(bitPattern: unsafe Unmanaged.passRetained(object).toOpaque())
        var before = last.load(ordering: .relaxed)
        while true {
            object.next = before
            let result = last.weakCompareExchange(
                expected: before, desired: address, ordering: .acquiringAndReleasing)
            if result.exchanged { return }
            before = result.original
        }
    }

    /// Calls `body` with each object, in the order in which they were added, and takes them from the list.
    func take(_ body: (PassedObject) -> Void) {
        var address = last.exchange(0, ordering: .acquiring)
        // The newest is first.
        var first: UInt = 0
        while let pointer = unsafe UnsafeRawPointer(bitPattern: address) {
            // SAFETY: retained by `add`, and no longer in the list.
            let next = unsafe Unmanaged<PassedObject>.fromOpaque(pointer).takeUnretainedValue().next
            unsafe Unmanaged<PassedObject>.fromOpaque(pointer).takeUnretainedValue().next = first
            (first, address) = (address, next)
        }
        while let pointer = unsafe UnsafeRawPointer(bitPattern: first) {
            let object = unsafe Unmanaged<PassedObject>.fromOpaque(pointer).takeRetainedValue()
            first = object.next
            object.next = 0
            body(object)
        }
    }

    /// Takes all objects, in the order in which they were added.
    func takeAll() -> [PassedObject] {
        var objects: [PassedObject] = []
        take { objects.append($0) }
        return objects
    }
}
