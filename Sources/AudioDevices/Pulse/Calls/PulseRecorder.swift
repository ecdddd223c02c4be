/// Stands for a server in tests of the streams: notes each call, and answers when and as a test has it.
///
/// Everything is used by one thread, the test's, which takes the place of the loop's.
final class PulseRecorder {
    /// A call of the connection, or of one of its streams, as far as a server would hear of it.
    enum Call: Equatable {
        case connect, disconnect
        case subscribe(toDevices: Bool)
        case move(toSink: String)
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

    /// What was called since the last ``takeCalls()``.
    private(set) var calls: [Call] = []
    /// The streams that were made, ended ones too.
    private(set) var streams: [PulseStreamRecorder] = []
    private var pending: [Pending] = []
    private var nextNumber = 0

    /// The time of all deadlines.
    var now: UInt64 = 1_000_000_000_000
    var state = PulseContextCalls.State.connecting
    var errorNumber: Int32 = 0
    /// Whether calls that can fail at once do.
    var refuses = false

    func takeCalls() -> [Call] {
        defer { calls = [] }
        return calls
    }

    /// The questions and requests that were not answered, in the order in which they were made.
    var unanswered: [Call] { pending.map(\.call) }

    /// Answers the first question like `question` that waits.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    func answer(_ question: PulseQuestion, _ answer: PulseAnswer) -> Bool {
        guard case .question(let body) = take(.ask(question)) else { return false }
        body(answer)
        return true
    }

    /// Answers the first request like `request` that waits.
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

    // REAL-TIME: not checked by the compiler, since it allocates: it stands for a server in tests alone.
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
