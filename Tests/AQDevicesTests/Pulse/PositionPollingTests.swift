// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import AQDevices

@Suite struct PositionPollingTests {
    private static let second: UInt64 = 1_000_000_000

    /// The times of the requests after a change of position, in milliseconds.
    private func questions(streams: Int, hasPeriods: Bool) -> [UInt64] {
        let start = 100 * Self.second
        var polling = PositionPolling()
        var times: [UInt64] = []
        if polling.beginClosely(at: start, streams: streams, hasPeriods: hasPeriods) { times.append(0) }
        while polling.deadline != .max, times.count < 100 {
            let now = polling.deadline
            if polling.takeQuestion(at: now, isRunning: true, hasPeriods: hasPeriods) {
                times.append((now - start) / 1_000_000)
            }
        }
        return times
    }

    @Test("requests follow a change after 10 ms and then after twice the time, less than 1.5 s apart")
    func closely() {
        expectEqual(questions(streams: 1, hasPeriods: false), [0, 10, 30, 70, 150, 310, 630, 1270, 2550])
    }

    @Test("a server that updates its position once a period gets twelve requests, spread over its periods")
    func periods() {
        let times = questions(streams: 1, hasPeriods: true)
        expectEqual(times.count, 13)
        expectEqual(times.prefix(3), [0, 9, 18])
    }

    @Test("hundreds of streams share one budget of requests")
    func shared() { expectEqual(questions(streams: 300, hasPeriods: false), [0, 300, 900, 2100]) }

    @Test("a stream that does not run makes no request")
    func stopped() {
        var polling = PositionPolling()
        _ = polling.beginClosely(at: Self.second, streams: 1, hasPeriods: false)
        let asks = polling.takeQuestion(at: polling.deadline, isRunning: false, hasPeriods: false)
        #expect(!asks)
        expectEqual(polling.deadline, .max)
    }

    @Test("a new stream requests the facts of its sink once, before anything else")
    func newStream() {
        var polling = PositionPolling()
        polling.streamIsNew(at: Self.second)
        #expect(!polling.isUsualQuestionDue(at: 9 * Self.second))
        let isEarly = polling.takeSinkQuestion(at: Self.second)
        let isDue = polling.takeSinkQuestion(at: 2 * Self.second)
        let isAgain = polling.takeSinkQuestion(at: 3 * Self.second)
        #expect((isEarly, isDue, isAgain) == (false, true, false))
        #expect(polling.isUsualQuestionDue(at: 9 * Self.second))
    }
}
