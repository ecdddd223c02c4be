import Synchronization

/// The positions of a ring with one writer and one reader, apart from what the ring holds.
///
/// The two counters only grow; a slot is a counter modulo the capacity, a power of two. Concrete, because
/// the compiler's real-time checks refuse unspecialised generics in debug builds.
struct RingIndices: ~Copyable {
    let capacity: Int
    private let written = Atomic<Int>(0)
    private let taken = Atomic<Int>(0)

    init(capacity: Int) {
        precondition(capacity > 0 && capacity & (capacity - 1) == 0, "a ring's capacity is a power of two")
        self.capacity = capacity
    }

    /// The slot to write next, or -1 when no more than `reserve` slots are free. Writer only.
    @_noLocks func slotToWrite(leaving reserve: Int = 0) -> Int {
        let next = written.load(ordering: .relaxed)
        return next &- taken.load(ordering: .acquiring) >= capacity &- reserve ? -1 : next & (capacity &- 1)
    }

    /// Hands the slot to the reader. Writer only.
    ///
    /// - Returns: Whether the reader had taken all that was written before. If not, then it finds this slot by
    ///   reading until the ring is empty, without being told: in the one order of all these loads and stores it
    ///   takes an earlier slot after this one was written.
    @discardableResult
    @_noLocks func didWrite() -> Bool {
        let next = written.load(ordering: .relaxed)
        written.store(next &+ 1, ordering: .sequentiallyConsistent)
        return taken.load(ordering: .sequentiallyConsistent) == next
    }

    /// The slot to read next, or -1 when the ring is empty. Reader only.
    @_noLocks func slotToRead() -> Int {
        let next = taken.load(ordering: .relaxed)
        return next == written.load(ordering: .sequentiallyConsistent) ? -1 : next & (capacity &- 1)
    }

    /// The slot to read after `count` others, or -1 when that many were not written. Reader only.
    func slotToRead(ahead count: Int) -> Int {
        let next = taken.load(ordering: .relaxed) &+ count
        return next >= written.load(ordering: .sequentiallyConsistent) ? -1 : next & (capacity &- 1)
    }

    /// Hands the slot back to the writer. Reader only.
    @_noLocks func didRead() {
        taken.store(taken.load(ordering: .relaxed) &+ 1, ordering: .sequentiallyConsistent)
    }

    /// Whether the reader has taken all that was written; a snapshot when asked by a third thread.
    var isEmpty: Bool {
        @_noLocks get {
            taken.load(ordering: .acquiring) == written.load(ordering: .sequentiallyConsistent)
        }
    }
}
