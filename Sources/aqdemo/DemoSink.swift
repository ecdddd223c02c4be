// SPDX-License-Identifier: MIT

import AQSoundHarness

/// The sound server of the demonstration: the user's own, or a private one if there is none.
enum DemoSink: CustomStringConvertible {
    case user(UserSink)
    case own(PulseServer)

    static func choose() throws -> DemoSink {
        guard ToolPaths.isInPath("pactl") else {
            throw HarnessError("cannot find pactl in PATH: run `make install-deps`")
        }
        if let sink = UserSink.findDefault() { return .user(sink) }
        var options = PulseServer.Options()
        options.sampleRate = 44100
        return .own(try PulseServer(options))
    }

    var environment: [String: String?] {
        switch self {
        case .user: [:]
        case .own(let server): server.environment
        }
    }

    var description: String {
        switch self {
        case .user(let sink): sink.name
        case .own: "private server, null sink"
        }
    }

    func makeCapture() throws -> MonitorCapture {
        switch self {
        case .user(let sink):
            try MonitorCapture(
                source: "@DEFAULT_MONITOR@", sampleRate: sink.sampleRate, channels: sink.channels)
        case .own(let server):
            try MonitorCapture(server)
        }
    }
}
