// SPDX-License-Identifier: MIT

import Testing

@testable import AQDevices

/// A connection to a recorder, whose loop is run by the test: no server, no thread, and simulated time.
final class RecordedServer {
    let recorder = PulseRecorder()
    let connection: PulseConnection
    /// Whether the server has each device that a stream asks for. If not, the test answers the questions.
    var hasDevices = true

    init() {
        let loop = unsafe PulseLoop(.recorder(.passUnretained(recorder)))
        connection = PulseConnection(loop: loop, server: nil)
    }

    /// Releases a stream, which keeps its connection alive until it is closed, also while it waits for the server.
    func end(_ stream: any PulseConnectionClient) {
        connection.remove(stream)
        if connection.context != nil { dies() }
        connection.remove(stream)
        recorder.end()
    }

    /// Runs the posted work and the due timers, and describes the devices that streams have asked for.
    func turn() {
        _ = connection.loop.takeTurn()
        guard hasDevices else { return }
        for call in recorder.unanswered {
            switch call {
            case .ask(.sink(let name)): recorder.answer(.sink(named: name), .devices([Self.device(name)]))
            case .ask(.source(let name)): recorder.answer(.source(named: name), .devices([Self.device(name)]))
            default: break
            }
        }
    }

    static func device(_ name: String, isMonitor: Bool = false) -> PulseDeviceDescription {
        let info = DeviceInfo(
            name: name, description: "", sampleRate: 48_000, channels: 2, isDefault: false,
            isMonitor: isMonitor)
        return PulseDeviceDescription(info: info, channelMap: PulseChannelMap(positions: [1, 2]))
    }

    /// Advances the time, and runs the loop at each step.
    func pass(seconds: Double, steps: Int = 20) {
        for _ in 0..<steps {
            recorder.now += UInt64(seconds / Double(steps) * 1e9)
            turn()
        }
    }

    /// Answers the attempt to connect, and waits for it if it is pending.
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

    /// The calls since the last check, consecutive equal ones once.
    func takeCalls() -> String {
        var names: [String] = []
        for call in recorder.takeCalls().compactMap(RecordedServer.name) where names.last != call {
            names.append(call)
        }
        return names.joined(separator: " ")
    }

    static func outcome(_ phase: String, _ events: String, _ calls: String) -> String {
        "\(phase) | \(events.isEmpty ? "-" : events) | \(calls.isEmpty ? "-" : calls)"
    }

    /// The effect of an event in a state's table; without an entry there is none.
    static func expected(for event: String, in table: String) -> String {
        let lines = table.split(separator: "\n")
        let line = lines.first { $0.hasPrefix("\(event): ") }
        guard let line else { return outcome(String(lines.first ?? ""), "", "") }
        return String(line.dropFirst(event.count + 2))
    }

    /// A call in a few words; nil for calls of other objects.
    private static func name(_ call: PulseRecorder.Call) -> String? {
        switch call {
        case .connect: "connect"
        case .disconnect: "disconnect"
        case .subscribe: "subscribe"
        case .move: "move"
        case .unload: "unload"
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
    /// The pending events, except those of segments.
    func takeEvents() -> String {
        var names: [String] = []
        while let event = nextEvent() {
            if event.kind != .segmentDone { names.append("\(event.kind)") }
        }
        return names.joined(separator: " ")
    }
}
