// SPDX-License-Identifier: MIT

import AudioDevices
import Synchronization

/// The objects behind the handles of C programs.
///
/// A handle is a key and never an address. Nothing is read from the address that a program passes, because it may be
/// NULL, stale, from another table or arbitrary. No handle is used twice.
///
/// May be used from any thread.
final class HandleTable<Object: AnyObject & Sendable>: Sendable {
    private struct Slot {
        /// The object; nil while the slot is free, and permanently after its last generation.
        var object: Object?
        /// The generation of the object; while the slot is free, that of the next object.
        var generation: UInt = 1
    }

    private struct Slots {
        var all: [Slot] = []
        /// Free slots that can be used again; the one freed last is at the end.
        var free: [UInt] = []
    }

    private let slots = Monitor(Slots())
    private let tag = HandleKey.nextTag()

    init() {}

    /// Makes a handle for an object, which is retained until the handle is removed.
    ///
    /// - Returns: The handle; nil if the table is full, which callers report as `kAudio_MemFullError`.
    func insert(_ object: Object) -> OpaquePointer? {
        let key = slots.withLock { slots -> HandleKey? in
            if let index = slots.free.popLast() {
                slots.all[Int(index)].object = object
                return HandleKey(tag: tag, index: index, generation: slots.all[Int(index)].generation)
            }
            let index = UInt(slots.all.count)
            guard index <= HandleKey.maximumIndex else { return nil }
            let slot = Slot(object: object)
            slots.all.append(slot)
            return HandleKey(tag: tag, index: index, generation: slot.generation)
        }
        return unsafe key?.handle
    }

    /// The object of a handle; nil for every value that is not, or no longer, a handle of this table.
    subscript(handle: OpaquePointer?) -> Object? {
        guard let key = unsafe key(of: handle) else { return nil }
        return slots.withLock { slots in
            guard let index = HandleTable.index(of: key, in: slots) else { return nil }
            return slots.all[index].object
        }
    }

    /// Ends a handle.
    ///
    /// - Returns: The object of the handle; nil if there is none. The caller releases the object outside the
    ///   lock, because a release may run a client's code.
    @discardableResult
    func remove(_ handle: OpaquePointer?) -> Object? {
        guard let key = unsafe key(of: handle) else { return nil }
        return slots.withLock { slots in
            guard let index = HandleTable.index(of: key, in: slots), let object = slots.all[index].object
            else { return nil }
            slots.all[index].object = nil
            // After its last generation a slot is not used again: its first handle must not become valid
            // again.
            if key.generation < HandleKey.maximumGeneration {
                slots.all[index].generation = key.generation + 1
                slots.free.append(key.index)
            }
            return object
        }
    }

    /// Returns whether a handle of this table was removed.
    func isStale(_ handle: OpaquePointer?) -> Bool {
        guard let key = unsafe key(of: handle) else { return false }
        return slots.withLock { slots in
            guard key.index < UInt(slots.all.count), key.generation > 0 else { return false }
            let slot = slots.all[Int(key.index)]
            return key.generation < slot.generation
                || (key.generation == slot.generation && slot.object == nil
                    && key.generation == HandleKey.maximumGeneration)
        }
    }

    private func key(of handle: OpaquePointer?) -> HandleKey? {
        guard let key = unsafe HandleKey(handle), key.tag == tag else { return nil }
        return key
    }

    private static func index(of key: HandleKey, in slots: Slots) -> Int? {
        guard key.index < UInt(slots.all.count) else { return nil }
        let index = Int(key.index)
        return slots.all[index].generation == key.generation ? index : nil
    }
}

/// The fields of a handle, in the 47 bits of a user-space address: some interpreters keep only these bits of
/// a pointer.
///
/// The table's tag is in the lowest bits and is odd, because the lowest bit of an object's address is 0.
struct HandleKey: Equatable, Sendable {
    private static let tagBits: UInt = 5
    private static let indexBits: UInt = 22
    private static let generationBits: UInt = 20

    static let maximumIndex: UInt = 1 << indexBits - 1
    static let maximumGeneration: UInt = 1 << generationBits - 1

    let tag: UInt
    let index: UInt
    let generation: UInt

    init(tag: UInt, index: UInt, generation: UInt) {
        self.tag = tag
        self.index = index
        self.generation = generation
    }

    /// Decodes a handle; nil for a value that no table has returned.
    init?(_ handle: OpaquePointer?) {
        let bits = UInt(bitPattern: handle)
        guard bits & 1 == 1, bits >> (HandleKey.tagBits + HandleKey.indexBits + HandleKey.generationBits) == 0
        else { return nil }
        tag = bits & (1 << HandleKey.tagBits - 1)
        index = bits >> HandleKey.tagBits & HandleKey.maximumIndex
        generation = bits >> (HandleKey.tagBits + HandleKey.indexBits)
    }

    var handle: OpaquePointer? {
        unsafe OpaquePointer(
            bitPattern: tag | index << HandleKey.tagBits
                | generation << (HandleKey.tagBits + HandleKey.indexBits))
    }

    private static let tagsGiven = Atomic<UInt>(0)

    /// Returns a tag for another table.
    ///
    /// Tags repeat after sixteen tables: handles of two tables with one tag may be equal.
    static func nextTag() -> UInt {
        let number = tagsGiven.wrappingAdd(1, ordering: .relaxed).oldValue
        return (number % (1 << (tagBits - 1))) << 1 | 1
    }
}
