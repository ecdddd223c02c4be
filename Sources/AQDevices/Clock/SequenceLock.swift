// SPDX-License-Identifier: MIT

import CAQRealTime
import Synchronization

/// A value that one thread publishes and any thread reads. The writer never waits.
///
/// `number` is odd during a write. A reader copies the value again if the number was odd or has changed. The words are
/// atomic, because a write may happen during a read.
@safe package struct SequenceLock: ~Copyable, @unchecked Sendable {
    // SAFETY: the words are accessed only as atomics, and live as long as the lock.

    private let number = Atomic<UInt64>(0)
    private let words: UnsafeMutablePointer<Atomic<UInt64>>
    private let byteCount: Int

    private static let wordBytes = MemoryLayout<UInt64>.size

    package init<Value: BitwiseCopyable>(_ value: Value) {
        byteCount = MemoryLayout<Value>.size
        let count = (byteCount + Self.wordBytes - 1) / Self.wordBytes
        unsafe words = .allocate(capacity: count)
        for index in 0..<count { unsafe (words + index).initialize(to: Atomic(0)) }
        var value = value
        unsafe publish(&value)
    }

    deinit { unsafe words.deallocate() }

    /// Publishes a value of the lock's type. Called by one thread at a time. REAL-TIME.
    @_noLocks package func publish(_ value: UnsafeRawPointer) {
        let before = number.load(ordering: .relaxed)
        number.store(before &+ 1, ordering: .relaxed)
        atomicMemoryFence(ordering: .releasing)
        var done = 0
        var index = 0
        while done < byteCount {
            var word: UInt64 = 0
            unsafe aq_copy(&word, value + done, min(SequenceLock.wordBytes, byteCount &- done))
            unsafe words[index].store(word, ordering: .relaxed)
            done &+= SequenceLock.wordBytes
            index &+= 1
        }
        number.store(before &+ 2, ordering: .releasing)
    }

    /// Reads a consistent copy of the last published value. From any thread.
    ///
    /// - Parameter value: Replaced by the published value.
    package func read<Value: BitwiseCopyable>(into value: inout Value) {
        precondition(MemoryLayout<Value>.size == byteCount, "a sequence lock holds values of one type")
        unsafe withUnsafeMutableBytes(of: &value) { bytes in
            while true {
                let before = number.load(ordering: .acquiring)
                guard before & 1 == 0 else { continue }
                for (index, offset) in stride(from: 0, to: byteCount, by: Self.wordBytes).enumerated() {
                    let word = unsafe words[index].load(ordering: .relaxed)
                    unsafe withUnsafeBytes(of: word) {
                        let part = unsafe $0.prefix(byteCount - offset)
                        unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[offset..<offset + part.count])
                            .copyMemory(from: UnsafeRawBufferPointer(rebasing: part))
                    }
                }
                atomicMemoryFence(ordering: .acquiring)
                if number.load(ordering: .relaxed) == before { return }
            }
        }
    }
}
