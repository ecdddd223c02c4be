// SPDX-License-Identifier: MIT

import AQThreads

/// The bytes of a stream between the thread that receives them and the one that reads them.
///
/// Reading begins after a number of bytes has arrived, and again after a gap, for more bytes each time, so that a stream
/// that stalls repeatedly has fewer and longer gaps. Otherwise bytes can be read as they arrive, because the reader has a
/// buffer too, and knows whether there is a gap.
final class ArrivalBuffer: Sendable {
    /// The result of a read.
    enum Found: Equatable {
        /// The number of bytes read.
        case bytes(Int)
        /// The bytes behind this point do not continue those before it: they are read as another file.
        case boundary
        /// The end, with the reason if there is a failure.
        case end(NetworkError?)
    }

    /// The state for a display.
    enum State: Equatable {
        case playing
        /// The fraction of the bytes that reading waits for, 0 to 1.
        case filling(Double)
    }

    private enum Mark {
        case title(String)
        case boundary(isLoss: Bool)
    }

    private struct Contents {
        /// The bytes that were not read, in pieces as they arrived.
        var pieces = Deque()
        /// The number of bytes received and read since the beginning.
        var received: Int64 = 0
        var read: Int64 = 0
        /// Marks in front of the byte with a number.
        var marks: [(position: Int64, mark: Mark)] = []
        /// The number of bytes received before the latest boundary.
        var latestBoundary: Int64 = 0
        var isFilling = true
        var goal: FillGoal
        var end: NetworkError?
        var hasEnded = false
        var isClosed = false
        var title: String?

        var available: Int { Int(received - read) }
    }

    private let contents: Monitor<Contents>
    /// The number of bytes that the receiver may be ahead.
    private let capacity: Int
    /// The number of titles and boundaries that the receiver may be ahead. A usual station sends one in minutes.
    private static let markCapacity = 1024

    /// - Parameters:
    ///   - goal: The amount with which reading begins.
    ///   - capacity: The number of bytes that the receiver may be ahead.
    init(goal: FillGoal, capacity: Int) {
        contents = Monitor(Contents(goal: goal))
        self.capacity = capacity
    }

    // MARK: Receiving

    /// Appends bytes; waits while the buffer is full. Returns false after ``close()``.
    func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        _ = contents.wait(until: .max) { !$0.isClosed && !$0.hasEnded && isFull($0) }
        let isOpen = contents.withLock { contents in
            guard !contents.isClosed, !contents.hasEnded else { return false }
            unsafe contents.pieces.append(Array(bytes))
            contents.received += Int64(bytes.count)
            return true
        }
        contents.notifyAll()
        return isOpen
    }

    /// Sets the title of the audio that follows the bytes appended so far.
    func append(title: String) {
        contents.withLock { contents in
            if let last = contents.marks.last, case .title = last.mark, last.position == contents.received {
                contents.marks.removeLast()
            }
            contents.marks.append((contents.received, .title(title)))
        }
        contents.notifyAll()
    }

    /// Ends one file: the next bytes are the beginning of another.
    ///
    /// - Parameter isLoss: Whether the connection was lost. What was received ahead is then played before the next bytes
    ///   arrive, so reading waits for as much again.
    func appendBoundary(isLoss: Bool = false) {
        contents.withLock { contents in
            // A file without bytes is none.
            guard contents.received > contents.latestBoundary else { return }
            contents.latestBoundary = contents.received
            contents.marks.append((contents.received, .boundary(isLoss: isLoss)))
        }
        contents.notifyAll()
    }

    /// Ends the stream, unless it has ended.
    ///
    /// - Parameter failure: The reason if it ended too early.
    func end(_ failure: NetworkError?) {
        contents.withLock { contents in
            if !contents.hasEnded { (contents.hasEnded, contents.end) = (true, failure) }
        }
        contents.notifyAll()
    }

    // MARK: Reading

    /// Waits for more bytes than before when ``read(into:)`` is called next, after a gap in the audio.
    ///
    /// - Parameter enqueuedSeconds: The duration of the audio that was read and is not yet played.
    /// - Returns: False without effect if half as much has arrived: the gap was not due to its lack.
    func fillAgain(enqueuedSeconds: Double) -> Bool {
        contents.withLock { contents in
            let share = Double(contents.available) / Double(contents.goal.bytes)
            guard !contents.isFilling, share + enqueuedSeconds / max(contents.goal.seconds, 0.1) < 0.5 else {
                return false
            }
            contents.goal.lengthen()
            contents.isFilling = true
            return true
        }
    }

    /// Sets the bit rate of the stream, in bits per second.
    func setBitRate(_ bitRate: Double) {
        contents.withLock { $0.goal.bitRate = bitRate }
        contents.notifyAll()
    }

    /// Sets a bit rate that is likely for the stream if none is set, in bits per second.
    func setLikelyBitRate(_ bitRate: Double) { contents.withLock { $0.goal.likelyBitRate = bitRate } }

    /// Takes bytes, at most up to the next title or boundary; waits for them.
    func read(into memory: UnsafeMutableRawBufferPointer) -> Found {
        _ = contents.wait(until: .max) { mustWait(&$0) }
        let found: Found = contents.withLock { contents in
            if contents.isClosed { return .end(NetworkError(.cancelled, "it was cancelled")) }
            while let first = contents.marks.first, first.position == contents.read {
                contents.marks.removeFirst()
                switch first.mark {
                case .title(let title): contents.title = title
                case .boundary(let isLoss):
                    if isLoss {
                        contents.goal.restart()
                        contents.isFilling = true
                    }
                    return .boundary
                }
            }
            guard contents.available > 0 else { return .end(contents.end) }
            let limit = contents.marks.first.map { Int($0.position - contents.read) } ?? .max
            let room = unsafe UnsafeMutableRawBufferPointer(rebasing: memory.prefix(limit))
            let count = unsafe contents.pieces.take(into: room)
            contents.read += Int64(count)
            return .bytes(count)
        }
        contents.notifyAll()
        return found
    }

    /// Waits until ``read(into:)`` would return at once; returns false if the time limit passed.
    func wait(milliseconds: Int64?) -> Bool {
        let deadline =
            milliseconds.map { MonotonicTime.nanoseconds + UInt64(clamping: $0) * 1_000_000 } ?? .max
        return contents.wait(until: deadline) { mustWait(&$0) }
    }

    /// Ends all waits: nothing more is received or read.
    func close() {
        contents.withLock { $0.isClosed = true }
        contents.notifyAll()
    }

    /// Whether nothing more is received.
    var isOver: Bool { contents.withLock { $0.isClosed || $0.hasEnded } }

    /// Waits for a time; returns false if nothing more is received meanwhile.
    func pause(nanoseconds: UInt64) -> Bool {
        !contents.wait(until: MonotonicTime.nanoseconds + nanoseconds) { !$0.isClosed && !$0.hasEnded }
    }

    /// The title at the reading position; nil before the first.
    var title: String? { contents.withLock { $0.title } }

    /// Waits for the first title.
    ///
    /// - Parameter byteCount: The number of bytes after which none is waited for.
    /// - Returns: The title; nil if none has arrived.
    func waitForTitle(within byteCount: Int64) -> String? {
        _ = contents.wait(until: .max) { contents in
            Self.firstTitle(contents) == nil && contents.received <= byteCount && !isFull(contents)
                && !contents.isClosed && !contents.hasEnded
        }
        return contents.withLock { Self.firstTitle($0) }
    }

    private static func firstTitle(_ contents: Contents) -> String? {
        if let title = contents.title { return title }
        for (_, mark) in contents.marks { if case .title(let title) = mark { return title } }
        return nil
    }

    var state: State {
        contents.withLock { contents in
            guard contents.isFilling, !contents.hasEnded else { return .playing }
            return .filling(min(1, Double(contents.available) / Double(contents.goal.bytes)))
        }
    }

    var receivedBytes: Int64 { contents.withLock { $0.received } }

    /// Whether the receiver has to wait.
    private func isFull(_ contents: Contents) -> Bool {
        contents.available >= capacity || contents.marks.count >= Self.markCapacity
    }

    /// Whether a reader has to wait.
    private func mustWait(_ contents: inout Contents) -> Bool {
        if contents.isClosed || contents.hasEnded { return false }
        // A boundary ends what can be waited for.
        if let first = contents.marks.first, case .boundary = first.mark, first.position == contents.read {
            return false
        }
        guard contents.isFilling else { return contents.available == 0 }
        let isEnough =
            contents.goal.isReached(bytes: contents.available, at: MonotonicTime.seconds)
            || isFull(contents)
            || contents.marks.contains { if case .boundary = $0.mark { true } else { false } }
        if isEnough { contents.isFilling = false }
        return !isEnough
    }
}

extension ArrivalBuffer {
    /// Pieces of bytes, taken in the order in which they were appended.
    private struct Deque {
        private var pieces: [[UInt8]] = []
        private var first = 0
        /// The number of bytes of the first piece that were taken.
        private var taken = 0

        mutating func append(_ piece: [UInt8]) { if !piece.isEmpty { pieces.append(piece) } }

        /// Fills the memory as far as possible.
        mutating func take(into memory: UnsafeMutableRawBufferPointer) -> Int {
            var filled = 0
            while filled < memory.count, first < pieces.count {
                let count = min(memory.count - filled, pieces[first].count - taken)
                unsafe pieces[first].withUnsafeBytes { piece in
                    unsafe UnsafeMutableRawBufferPointer(rebasing: memory[filled...]).copyMemory(
                        from: UnsafeRawBufferPointer(rebasing: piece[taken..<(taken + count)]))
                }
                filled += count
                taken += count
                guard taken == pieces[first].count else { break }
                (pieces[first], taken) = ([], 0)
                first += 1
            }
            if first > 64, first > pieces.count / 2 {
                pieces.removeFirst(first)
                first = 0
            }
            return filled
        }
    }
}
