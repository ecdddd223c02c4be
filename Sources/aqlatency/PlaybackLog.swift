// SPDX-License-Identifier: MIT

import AudioQueues
import Glibc
import AQRoundTripAnalysis

/// Fills the buffers of a queue with a test signal, and logs when each callback was entered.
@safe final class PlaybackLog: @unchecked Sendable {
    // SAFETY: one thread at a time fills buffers: the main thread before the start, and the queue's callback thread
    // from then on. The log is read after the queue was disposed of.

    private struct Entry {
        var nanoseconds: Int64 = 0
        var firstFrame = 0
    }

    /// The number of callbacks after which the thread's priority is read, again and again: RealtimeKit may grant it a
    /// little later.
    private static let callbacksBetweenReadings = 64

    private let signal: TestSignal
    private let bufferFrames: Int
    private var entries: [Entry]
    private var count = 0
    private(set) var nextFrame = 0
    /// The priority of the thread that makes callbacks; nil before it was read.
    private(set) var priority: GrantedPriority?

    /// - Parameter capacity: The number of callbacks that are logged at most. Their memory is written to here, because
    ///   a page fault would delay a callback.
    init(_ signal: TestSignal, bufferFrames: Int, capacity: Int) {
        self.signal = signal
        self.bufferFrames = bufferFrames
        entries = [Entry](repeating: Entry(), count: capacity)
    }

    /// Fills a buffer. The number of callbacks includes the first buffers, which are filled before the start.
    func fill(_ buffer: QueueBuffer) {
        let entry = Self.now
        let samples = unsafe buffer.bytes.bindMemory(to: Float.self)
        unsafe signal.write(UnsafeMutableBufferPointer(rebasing: samples[..<bufferFrames]), from: nextFrame)
        buffer.byteCount = bufferFrames * MemoryLayout<Float>.size
        if count < entries.count {
            entries[count] = Entry(nanoseconds: entry, firstFrame: nextFrame)
            count += 1
        }
        nextFrame += bufferFrames
        if count % Self.callbacksBetweenReadings == 0 { priority = .ofCallingThread }
    }

    /// The callbacks in order.
    var callbacks: [CallbackRecord] {
        entries[..<count].map {
            CallbackRecord(
                entryNanoseconds: Double($0.nanoseconds), firstFrame: $0.firstFrame, frames: bufferFrames)
        }
    }

    private static var now: Int64 {
        var time = timespec()
        // SAFETY: clock_gettime fills a local.
        unsafe _ = clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
