// SPDX-License-Identifier: MIT

import Synchronization

/// The positions of a ring with one writer and one reader, without the ring's contents.
///
/// The two counters only grow; a slot is a counter modulo the capacity, a power of two. Not generic, because the
/// compiler's real-time checks reject unspecialised generics in debug builds.
package struct RingIndices: ~Copyable {
    let capacity: Int
    private let written = Atomic<Int>(0)
    private let taken = Atomic<Int>(0)

    package init(capacity: Int) {
        precondition(capacity > 0 && capacity & (capacity - 1) == 0, "a ring's capacity is a power of two")
        self.capacity = capacity
    }

    /// The next slot to write, or -1 if no more than `reserve` slots are free. Writer only.
    @_noLocks package func slotToWrite(leaving reserve: Int = 0) -> Int {
        let next = written.load(ordering: .relaxed)
        return next &- taken.load(ordering: .acquiring) >= capacity &- reserve ? -1 : next & (capacity &- 1)
    }

    /// Passes the slot just written to the reader. Writer only.
    ///
    /// - Returns: True if the reader had taken everything written before, and must be woken. If false, no wake-up is
    ///   needed: by the total order of these loads and stores, the reader releases an earlier slot after this slot was
    ///   written, and it reads until the ring is empty.
    @discardableResult
    @_noLocks package func didWrite() -> Bool {
        let next = written.load(ordering: .relaxed)
        written.store(next &+ 1, ordering: .sequentiallyConsistent)
        return taken.load(ordering: .sequentiallyConsistent) == next
    }

    /// The next slot to read, or -1 if the ring is empty. Reader only.
    @_noLocks package func slotToRead() -> Int {
        let next = taken.load(ordering: .relaxed)
        return next == written.load(ordering: .sequentiallyConsistent) ? -1 : next & (capacity &- 1)
    }

    /// The slot to read after `count` others, or -1 if fewer were written. Reader only.
    package func slotToRead(ahead count: Int) -> Int {
        let next = taken.load(ordering: .relaxed) &+ count
        return next >= written.load(ordering: .sequentiallyConsistent) ? -1 : next & (capacity &- 1)
    }

    /// Returns the slot just read to the writer. Reader only.
    @_noLocks package func didRead() {
        taken.store(taken.load(ordering: .relaxed) &+ 1, ordering: .sequentiallyConsistent)
    }

    /// Whether the reader has taken everything written. The other thread may change this at any time.
    package var isEmpty: Bool {
        @_noLocks get {
            taken.load(ordering: .acquiring) == written.load(ordering: .sequentiallyConsistent)
        }
    }
}
