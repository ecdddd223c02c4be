// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import AQDevices

@Suite("The monitor of the default sink") final class DefaultMonitorTests {
    private static let keyword = "@DEFAULT_MONITOR@"

    private let server = RecordedServer()
    private let stream: PulseInputStream

    init() {
        server.hasDevices = false
        stream = PulseInputStream(
            InputStreamConfiguration(format: CapturePair.format), source: Self.keyword,
            connection: server.connection)
        stream.start(fragmentFrames: 4800)
        server.turn()
        server.answers()
    }

    deinit { server.end(stream) }

    /// The server's answer to which source it is.
    private func answer(_ name: String) {
        server.recorder.answer(
            .source(named: Self.keyword), .devices([RecordedServer.device(name, isMonitor: true)]))
    }

    /// The sources to which streams were connected since the last check.
    private func sources() -> [String?] {
        server.recorder.takeCalls().compactMap { call in
            if case .connectRecording(let source, _, let options) = call, options.contains(.staysAtDevice) {
                source
            } else {
                nil
            }
        }
    }

    // PipeWire 0.3 makes no stream of the keyword.
    @Test("is captured by its own name, and at the next start by that of another sink")
    func isNamed() {
        expectEqual(sources(), [])
        answer("speakers.monitor")
        expectEqual(sources(), ["speakers.monitor"])
        stream.stop(ticket: 1)
        server.pass(seconds: 1)
        stream.start(fragmentFrames: 4800)
        server.turn()
        answer("headphones.monitor")
        expectEqual(sources(), ["headphones.monitor"])
    }

    @Test("does not exist if there is no sink")
    func isMissing() {
        server.recorder.errorNumber = PulseError.noEntity
        server.recorder.answer(
            .source(named: Self.keyword), .failed(errorNumber: PulseError.noEntity))
        server.turn()
        expectEqual(sources(), [])
        expectEqual(stream.feed.failure?.code, .noSuchDevice)
    }
}
