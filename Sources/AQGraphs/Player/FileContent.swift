// SPDX-License-Identifier: MIT

import Dispatch
import Synchronization

/// The frames of a file, which another thread reads ahead.
@safe package final class FileContent: PlayContent, GraphMessenger.Client, @unchecked Sendable {
    // SAFETY: a block belongs to the reading thread until it is filled, and then to the rendering thread.

    /// Reads the next frames into `target`, and returns their number; 0 at the end. Also at an error, which it
    /// reports. Called by one thread at a time.
    package typealias Body = @Sendable (_ target: PlanarSamples) -> Int

    private static let (blockFrames, blockCount) = (8_192, 4)

    private let body: Body
    private let blocks: [PlanarMemory]
    /// The frames in each block.
    private let counts: UnsafeMutablePointer<Int>
    /// The blocks that were filled, and those that were played, since the beginning.
    private let filled = Atomic<Int>(0)
    private let played = Atomic<Int>(0)
    private let isAtEnd = Atomic<Bool>(false)
    private let isFilling = Atomic<Bool>(false)
    private let isDropped = Atomic<Bool>(false)
    /// The frames of the blocks before the current one, and the length once the end was read.
    private var framesBefore: Int64 = 0
    private let total = Atomic<Int64>(0)

    /// Reads the first frames, and waits for them.
    package init(channels: Int, _ body: @escaping Body) {
        self.body = body
        blocks = (0..<Self.blockCount).map { _ in
            PlanarMemory(channels: channels, capacityFrames: Self.blockFrames)
        }
        unsafe counts = .allocate(capacity: Self.blockCount)
        unsafe counts.initialize(repeating: 0, count: Self.blockCount)
        fillBlock()
        GraphMessenger.shared.add(self)
    }

    deinit { unsafe counts.deallocate() }

    // MARK: The rendering thread

    package var length: Int64? {
        isAtEnd.load(ordering: .acquiring) ? total.load(ordering: .relaxed) : nil
    }

    package func read(from position: Int64, into target: PlanarSamples, _ call: RenderCall) -> Int {
        var done = 0
        while done < target.frames {
            let current = played.load(ordering: .relaxed)
            if current == filled.load(ordering: .acquiring) {
                guard call.turn.isOffline, !isAtEnd.load(ordering: .acquiring) else { break }
                fill()
                continue
            }
            let slot = current % Self.blockCount
            let offset = Int(position + Int64(done) - framesBefore)
            let count = min(target.frames - done, unsafe counts[slot] - offset)
            if count > 0 {
                target.part(from: done, count: count).copy(
                    blocks[slot].prefix(Self.blockFrames).part(from: offset, count: count))
                done += count
            }
            guard unsafe offset + count >= counts[slot] else { break }
            unsafe framesBefore += Int64(counts[slot])
            played.store(current + 1, ordering: .releasing)
            GraphMessenger.shared.need()
        }
        return done
    }

    // MARK: Other threads

    /// Ends the reading ahead.
    package func drop() { isDropped.store(true, ordering: .relaxed) }

    func work() -> Bool {
        if isDropped.load(ordering: .relaxed) || isAtEnd.load(ordering: .acquiring) { return false }
        guard isFull == false, !isFilling.load(ordering: .relaxed) else { return true }
        DispatchQueue.global().async { [self] in fill() }
        return true
    }

    private var isFull: Bool {
        filled.load(ordering: .relaxed) - played.load(ordering: .acquiring) == Self.blockCount
    }

    /// Fills all blocks, unless another thread does.
    private func fill() {
        guard !isFilling.exchange(true, ordering: .acquiring) else { return }
        while !isFull, !isAtEnd.load(ordering: .relaxed) { fillBlock() }
        isFilling.store(false, ordering: .releasing)
    }

    private func fillBlock() {
        let number = filled.load(ordering: .relaxed)
        let block = blocks[number % Self.blockCount]
        var done = 0
        while done < Self.blockFrames {
            let count = body(block.prefix(Self.blockFrames).dropFirst(done))
            if count <= 0 { break }
            done += count
        }
        unsafe counts[number % Self.blockCount] = done
        total.store(total.load(ordering: .relaxed) + Int64(done), ordering: .relaxed)
        if done > 0 { filled.store(number + 1, ordering: .releasing) }
        if done < Self.blockFrames { isAtEnd.store(true, ordering: .releasing) }
    }
}
