// SPDX-License-Identifier: MIT

/// A fake server for tests of the streams. It records each call; a test chooses the answers and their times.
///
/// It is used by one thread, the test's, which acts as the loop's thread.
final class PulseRecorder {
    /// A call of the connection or of a stream that would reach a server.
    enum Call: Equatable {
        case connect, disconnect
        case subscribe
        case move(toSink: String)
        case unload(module: UInt32)
        case ask(PulseQuestion)
        case makeStream
        case connectPlayback(sink: String?, PulseBufferAttributes, PulseStreamOptions)
        case connectRecording(source: String?, PulseBufferAttributes, PulseStreamOptions)
        case setCorked(Bool)
        case flush
        case setAttributes(PulseBufferAttributes)
        case setName(String)
        case request(PulseStreamCalls.Request)
        case askForTiming
        case write(bytes: Int, offset: Int64)
        case endStream
    }

    private enum Answer {
        case question((PulseAnswer) -> Void)
        case request(() -> Void)
    }

    private struct Pending {
        var number: Int
        var call: Call
        var answer: Answer
    }

    /// The calls since the last ``takeCalls()``.
    private(set) var calls: [Call] = []
    /// The streams that were made, including ended ones.
    private(set) var streams: [PulseStreamRecorder] = []
    private var pending: [Pending] = []
    private var nextNumber = 0

    /// The current host time, for all deadlines.
    var now: UInt64 = 1_000_000_000_000
    /// The time that the last turn of the loop may wait, in microseconds; -1 for no limit.
    var timeout: Int32 = 0
    var state = PulseContextCalls.State.connecting
    var errorNumber: Int32 = 0
    /// Whether calls fail, if they can fail at once.
    var refuses = false

    func takeCalls() -> [Call] {
        defer { calls = [] }
        return calls
    }

    /// Drops the streams and the pending answers, whose references to the recorder form cycles.
    func end() {
        streams = []
        pending = []
    }

    /// The unanswered questions and requests, in order.
    var unanswered: [Call] { pending.map(\.call) }

    /// Answers the first pending question equal to `question`.
    ///
    /// - Returns: True if there was one.
    @discardableResult
    func answer(_ question: PulseQuestion, _ answer: PulseAnswer) -> Bool {
        guard case .question(let body) = take(.ask(question)) else { return false }
        body(answer)
        return true
    }

    /// Answers the first pending request equal to `request`.
    @discardableResult
    func answer(_ request: PulseStreamCalls.Request) -> Bool {
        guard case .request(let body) = take(.request(request)) else { return false }
        body()
        return true
    }

    private func take(_ call: Call) -> Answer? {
        guard let index = pending.firstIndex(where: { $0.call == call }) else { return nil }
        return pending.remove(at: index).answer
    }

    // MARK: The calls

    // REAL-TIME: not checked by the compiler, since it allocates. Used only in tests.
    @_semantics("no_performance_analysis") func note(_ call: Call) { calls.append(call) }

    func connect() -> Bool {
        note(.connect)
        return !refuses
    }

    func disconnect() {
        note(.disconnect)
        state = .connecting
    }

    func makeStream() -> PulseStreamCalls? {
        note(.makeStream)
        if refuses { return nil }
        let stream = PulseStreamRecorder(self)
        streams.append(stream)
        return unsafe .recorder(.passUnretained(stream))
    }

    func ask(_ question: PulseQuestion, _ answer: @escaping (PulseAnswer) -> Void) -> PulseOperation {
        wait(for: .ask(question), .question(answer))
    }

    func ask(_ request: PulseStreamCalls.Request, _ answer: @escaping () -> Void) -> PulseOperation {
        wait(for: .request(request), .request(answer))
    }

    private func wait(for call: Call, _ answer: Answer) -> PulseOperation {
        note(call)
        nextNumber += 1
        pending.append(Pending(number: nextNumber, call: call, answer: answer))
        return unsafe PulseOperation(.recorder(.passUnretained(self), number: nextNumber))
    }

    func isPending(_ number: Int) -> Bool { pending.contains { $0.number == number } }

    func cancel(_ number: Int) { pending.removeAll { $0.number == number } }
}
