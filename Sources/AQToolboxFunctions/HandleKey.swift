// SPDX-License-Identifier: MIT

import Synchronization

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
