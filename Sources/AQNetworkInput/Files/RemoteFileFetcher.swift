// SPDX-License-Identifier: MIT

import AQThreads

/// Requests the parts of a file that a reader needs, and those that it will need next, on a thread of its own.
final class RemoteFileFetcher: HTTPReceiver, @unchecked Sendable {
    // SAFETY: `state` and the client's `cancel` may be used by any thread; everything else is used by the fetcher's
    // thread alone.
    private let client: HTTPClient
    private let facts: RemoteFileFacts
    private let options: NetworkInput.Options
    private let state: Monitor<State>

    private struct State {
        var blocks: RemoteBlocks
        /// The offset that a reader waits for; nil if none waits.
        var awaited: Int64?
        /// The offset at which the next read is expected.
        var position: Int64 = 0
        var failure: NetworkError?
        var isClosed = false
    }

    /// The blocks of the present request that have not arrived, and the bytes of the first of them.
    private var run: Range<Int64> = 0..<0
    private var partial: [UInt8] = []
    /// The number of blocks in the next request. It grows while the file is read in order.
    private var runBlocks = RemoteFileFetcher.fewBlocks
    private var schedule: ReconnectSchedule

    private static let fewBlocks: Int64 = 2
    private static let mostBlocks: Int64 = 16
    /// The number of blocks that a read takes at most, usually.
    private static let blocksReady: Int64 = 4
    /// The number of blocks that are requested before they are read.
    private static let blocksAhead: Int64 = 64

    init(_ facts: RemoteFileFacts, client: HTTPClient, options: NetworkInput.Options) {
        self.facts = facts
        self.client = client
        self.options = options
        schedule = ReconnectSchedule(limitSeconds: options.reconnectSeconds)
        var blocks = RemoteBlocks(byteCount: facts.byteCount)
        var block: Int64 = 0
        while case let range = RemoteBlocks.range(of: block, inFileOf: facts.byteCount), !range.isEmpty,
            range.upperBound <= Int64(facts.head.count)
        {
            blocks.insert(block, Array(facts.head[Int(range.lowerBound)..<Int(range.upperBound)]))
            block += 1
        }
        state = Monitor(State(blocks: blocks))
    }

    /// Starts the thread.
    func start() throws(NetworkError) {
        let number = DetachedThread.start(named: "aq network") { [self] in work() }
        guard number == 0 else { throw NetworkError(.noConnection, "no thread can be created") }
    }

    /// Ends the thread, and all reads. Called by any thread.
    func cancel() {
        state.withLock { $0.isClosed = true }
        state.notifyAll()
        client.cancel()
    }

    // MARK: Reading, by any one thread

    /// Fills memory from an offset on, and waits for the bytes; fewer only at the end of the file.
    func read(at offset: Int64, into memory: UnsafeMutableRawBufferPointer) throws(NetworkError) -> Int {
        var filled = 0
        while filled < memory.count, offset >= 0, offset + Int64(filled) < facts.byteCount {
            let next = offset + Int64(filled)
            let count = state.withLock { state in
                let count = unsafe state.blocks.copy(
                    from: next, into: UnsafeMutableRawBufferPointer(rebasing: memory[filled...]))
                state.position = next + Int64(count)
                state.awaited = count > 0 ? nil : next
                return count
            }
            state.notifyAll()
            filled += count
            if count == 0 { try awaitBlock(at: next) }
        }
        return filled
    }

    private func awaitBlock(at offset: Int64) throws(NetworkError) {
        let block = RemoteBlocks.block(of: offset)
        _ = state.wait(until: .max) {
            !$0.isClosed && $0.failure == nil && !$0.blocks.contains(block)
        }
        try state.withLock { state throws(NetworkError) in
            if state.blocks.contains(block) { return }
            throw state.failure ?? NetworkError(.cancelled, "it was cancelled")
        }
    }

    /// Waits until the next bytes to read are in memory, or cannot be had; returns false if the time limit passed.
    func wait(milliseconds: Int64) -> Bool {
        state.wait(until: MonotonicTime.nanoseconds + UInt64(clamping: milliseconds) * 1_000_000) { state in
            guard !state.isClosed, state.failure == nil else { return false }
            let first = RemoteBlocks.block(of: state.position)
            return (first..<(first + Self.blocksReady)).contains { state.blocks.lacks($0) }
        }
    }

    /// Whether a reader waits.
    var isAwaited: Bool { state.withLock { $0.awaited != nil } }

    // MARK: The thread

    private func work() {
        while let block = nextBlock() {
            run = state.withLock { $0.blocks.missing(from: block, most: runBlocks) }
            partial = []
            let start = MonotonicTime.seconds
            do throws(NetworkError) {
                try client.get(request(), self)
                // Without this, a server that sends less than a block would be asked again at once, for ever.
                guard run.lowerBound > block || !isUseful else {
                    throw NetworkError(.noConnection, "the server sent less than was requested")
                }
                runBlocks = min(2 * runBlocks, Self.mostBlocks)
            } catch {
                guard goOn(after: error, lastSeconds: MonotonicTime.seconds - start) else { return }
            }
        }
    }

    /// Waits until a block is needed; returns nil after ``cancel()``.
    private func nextBlock() -> Int64? {
        var block: Int64?
        // Decided and waited for with one lock held, so that no move of the reader between the two is missed.
        _ = state.wait(until: .max) { state in
            block = state.isClosed ? nil : missingBlock(state)
            return block == nil && !state.isClosed
        }
        return block
    }

    /// The block to request next; nil if enough is in memory.
    private func missingBlock(_ state: State) -> Int64? {
        let start = RemoteBlocks.block(of: state.awaited ?? state.position)
        let missing = (start...(start + Self.blocksAhead)).first { state.blocks.lacks($0) }
        // A reader that waits has moved: the next bytes it needs are not known to be in order.
        if missing == start, state.awaited != nil, start != run.upperBound { runBlocks = Self.fewBlocks }
        return missing
    }

    private func request() -> HTTPRequest {
        var request = HTTPRequest(facts.address)
        request.range = .init(
            start: range(of: run.lowerBound).lowerBound, end: range(of: run.upperBound - 1).upperBound)
        request.validator = facts.validator
        return request
    }

    private func range(of block: Int64) -> Range<Int64> {
        RemoteBlocks.range(of: block, inFileOf: facts.byteCount)
    }

    /// Waits before the next attempt; returns false if there is none.
    private func goOn(after failure: NetworkError, lastSeconds: Double) -> Bool {
        guard
            let delay = schedule.pause(after: failure, lastSeconds: lastSeconds, notice: options.notice)
        else {
            state.withLock { $0.failure = failure }
            state.notifyAll()
            return false
        }
        return !state.wait(until: MonotonicTime.nanoseconds + delay) { !$0.isClosed }
    }

    // MARK: Responses

    func begin(_ response: HTTPResponse) throws(NetworkError) -> Bool {
        guard let range = response.contentRange, range.start == self.range(of: run.lowerBound).lowerBound,
            range.total ?? facts.byteCount == facts.byteCount
        else { throw NetworkError(.badResponse, "the file on the server has changed") }
        return true
    }

    func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        unsafe partial.append(contentsOf: bytes)
        while !run.isEmpty {
            let size = range(of: run.lowerBound).count
            guard partial.count >= size else { break }
            let block = run.lowerBound
            let whole = Array(partial[..<size])
            partial.removeFirst(size)
            run = (block + 1)..<run.upperBound
            state.withLock { $0.blocks.insert(block, whole) }
            state.notifyAll()
            schedule.reset()
        }
        return !run.isEmpty && isUseful
    }

    /// Whether the rest of the request is needed: no reader waits for bytes elsewhere.
    private var isUseful: Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            guard let awaited = state.awaited.map(RemoteBlocks.block), !state.blocks.contains(awaited) else {
                return true
            }
            return run.contains(awaited)
        }
    }
}
