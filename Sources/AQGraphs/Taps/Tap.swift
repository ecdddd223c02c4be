// SPDX-License-Identifier: MIT

import Dispatch
import Synchronization

/// Passes what a node renders to a function, in buffers of one length.
///
/// The function is called on a queue of its own. If it is slow, two seconds of audio wait. What is lost after that
/// is counted, and shows in the times.
package final class Tap: GraphMessenger.Client, @unchecked Sendable {
    // SAFETY: the rendering thread writes the memory, and one call of `drain` at a time reads it.

    /// Takes a buffer, which is valid during the call.
    package typealias Body = @Sendable (_ samples: PlanarSamples, _ time: SliceTime) -> Void

    package let format: GraphFormat
    package let maximumFrames: Int
    private let bufferFrames: Int
    private static let queueKey = DispatchSpecificKey<ObjectIdentifier>()
    private let queue = DispatchQueue(label: "audio graph tap")
    private let body: Body
    private let ring: PlanarMemory
    private let buffer: PlanarMemory
    private let written = Atomic<Int>(0)
    private let taken = Atomic<Int>(0)
    private let marks = TimeMarks()
    private let lost = Atomic<Int>(0)
    private let isDraining = Atomic<Bool>(false)
    private let hasEnded = Atomic<Bool>(false)

    /// - Parameters:
    ///   - bufferFrames: The length of the buffers.
    ///   - maximumFrames: The most frames of a slice.
    package init(
        format: GraphFormat, bufferFrames: Int, maximumFrames: Int, _ body: @escaping Body
    ) {
        self.format = format
        self.bufferFrames = bufferFrames
        self.body = body
        self.maximumFrames = maximumFrames
        // A caller that renders waits after each slice, and less than a buffer is left.
        let least = max(4 * bufferFrames, maximumFrames + bufferFrames)
        ring = PlanarMemory(
            channels: format.channels, capacityFrames: max(Int(format.sampleRate) * 2, least))
        buffer = PlanarMemory(channels: format.channels, capacityFrames: bufferFrames)
        queue.setSpecific(key: Self.queueKey, value: ObjectIdentifier(self))
        GraphMessenger.shared.add(self)
    }

    /// The number of frames that were lost because the function was slow.
    package var lostFrames: Int { lost.load(ordering: .relaxed) }

    /// Ends: the function is not called again. A call in progress goes on.
    package func end() {
        hasEnded.store(true, ordering: .releasing)
        GraphMessenger.shared.wake()
    }

    // MARK: The rendering thread

    func write(_ samples: PlanarSamples, _ time: SliceTime, sampleRate: Double) {
        let start = written.load(ordering: .relaxed)
        let free = ring.capacityFrames - (start - taken.load(ordering: .acquiring))
        guard samples.frames <= free, samples.channels == ring.channels, marks.add(start, time) else {
            lost.wrappingAdd(samples.frames, ordering: .relaxed)
            return
        }
        let whole = ring.prefix(ring.capacityFrames)
        let position = start % ring.capacityFrames
        let count = min(samples.frames, ring.capacityFrames - position)
        whole.part(from: position, count: count).copy(samples.prefix(count))
        whole.prefix(samples.frames - count).copy(samples.dropFirst(count))
        written.store(start + samples.frames, ordering: .releasing)
        if start + samples.frames - taken.load(ordering: .relaxed) >= bufferFrames {
            GraphMessenger.shared.need()
        }
    }

    // MARK: Other threads

    func work() -> Bool {
        if hasEnded.load(ordering: .acquiring) { return false }
        let waits = written.load(ordering: .acquiring) - taken.load(ordering: .acquiring)
        guard waits >= bufferFrames, !isDraining.exchange(true, ordering: .acquiring) else { return true }
        queue.async { [self] in drain() }
        return true
    }

    /// Returns when the function has got what was rendered: for a caller that renders faster than it follows. At once if
    /// the function itself calls this.
    package func settle() {
        guard DispatchQueue.getSpecific(key: Self.queueKey) != ObjectIdentifier(self) else { return }
        // The messenger may have taken the task over without having given it to the queue.
        queue.sync { drain() }
    }

    private func drain() {
        while true {
            while let frames = nextLength() {
                if hasEnded.load(ordering: .acquiring) { return }
                pass(frames)
            }
            isDraining.store(false, ordering: .sequentiallyConsistent)
            // More may have been written before that.
            let waits = written.load(ordering: .sequentiallyConsistent) - taken.load(ordering: .relaxed)
            guard waits >= bufferFrames, !isDraining.exchange(true, ordering: .acquiring) else { return }
        }
    }

    /// The length of the next buffer: shorter if frames are missing after it. Nil if there are not enough yet.
    private func nextLength() -> Int? {
        let start = taken.load(ordering: .relaxed)
        let waiting = written.load(ordering: .acquiring) - start
        guard waiting >= bufferFrames else { return nil }
        return min(bufferFrames, marks.contiguousFrames(from: start))
    }

    private func pass(_ frames: Int) {
        let start = taken.load(ordering: .relaxed)
        let time = marks.time(of: start, sampleRate: format.sampleRate)
        let whole = ring.prefix(ring.capacityFrames)
        let position = start % ring.capacityFrames
        let count = min(frames, ring.capacityFrames - position)
        let samples = buffer.prefix(frames)
        samples.copy(whole.part(from: position, count: count))
        samples.dropFirst(count).copy(whole.prefix(frames - count))
        taken.store(start + frames, ordering: .releasing)
        marks.drop(before: start + frames)
        body(samples, time)
    }
}
