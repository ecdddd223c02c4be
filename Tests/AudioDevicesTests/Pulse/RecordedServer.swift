import Testing

@testable import AudioDevices

/// A connection to a recorder, whose loop turns when a test has it: no server, no thread, and time that a test passes.
final class RecordedServer {
    let recorder = PulseRecorder()
    let connection: PulseConnection

    init() {
        let loop = unsafe PulseLoop(.recorder(.passUnretained(recorder)))
        connection = PulseConnection(loop: loop, server: nil)
    }

    /// Does what was posted, and what is due.
    func turn() { _ = connection.loop.takeTurn() }

    /// Lets time pass, with a turn of the loop at each step.
    func pass(seconds: Double, steps: Int = 20) {
        for _ in 0..<steps {
            recorder.now += UInt64(seconds / Double(steps) * 1e9)
            turn()
        }
    }

    /// The server answers the attempt to connect, which is waited for if it is to come.
    func answers() {
        if connection.context == nil { pass(seconds: 0.2) }
        recorder.state = .ready
        connection.stateChanged()
        turn()
    }

    func dies() {
        recorder.state = .failed
        recorder.errorNumber = 6
        connection.stateChanged()
        turn()
    }

    /// What was called since the last look, each kind of call once in a row.
    func takeCalls() -> String {
        var names: [String] = []
        for call in recorder.takeCalls().compactMap(RecordedServer.name) where names.last != call {
            names.append(call)
        }
        return names.joined(separator: " ")
    }

    /// A line of a table.
    static func outcome(_ phase: String, _ notices: String, _ calls: String) -> String {
        "\(phase) | \(notices.isEmpty ? "-" : notices) | \(calls.isEmpty ? "-" : calls)"
    }

    /// The outcome for an event in a state's table; what it names no outcome for changes nothing.
    static func expected(for event: String, in table: String) -> String {
        let lines = table.split(separator: "\n")
        let line = lines.first { $0.hasPrefix("\(event): ") }
        guard let line else { return outcome(String(lines.first ?? ""), "", "") }
        return String(line.dropFirst(event.count + 2))
    }

    /// A call in few words; nil for what belongs to another.
    private static func name(_ call: PulseRecorder.Call) -> String? {
        switch call {
        case .connect: "connect"
        case .disconnect: "disconnect"
        case .subscribe: "subscribe"
        case .move: "move"
        case .ask(.server): "server?"
        case .ask: "device?"
        case .makeStream: nil
        case .connectPlayback(_, _, let options): options.contains(.startsCorked) ? "make-corked" : "make"
        case .connectRecording: "make"
        case .setCorked(let isCorked): isCorked ? "cork" : "uncork"
        case .flush: "flush"
        case .setAttributes: "sizes"
        case .setName: "name"
        case .request(.timing), .askForTiming: "time?"
        case .request(.drain): "drain?"
        case .request(.attributes): "sizes?"
        case .write: "write"
        case .endStream: "end"
        }
    }
}

extension StreamFeed {
    /// The notices that wait, but those of segments.
    func takeNotices() -> String {
        var names: [String] = []
        while let notice = nextNotice() {
            if notice.kind != .segmentDone { names.append("\(notice.kind)") }
        }
        return names.joined(separator: " ")
    }
}
