// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import Testing

@testable import AQUnits

@Suite("The starts of a unit's streams") struct StreamStartsTests {
    private var starts = StreamStarts()
    private let error = DeviceError(.connectionLost, "lost")

    private mutating func start(isAwaited: Bool = true, isFirst: Bool = true) {
        let begins = starts.start(hasOutput: true, hasInput: true, isAwaited: isAwaited)
        expectEqual(begins, isFirst)
    }

    @Test("wait for both directions")
    mutating func both() {
        start()
        #expect(starts.isWaiting)
        starts.started(isInput: true)
        #expect(starts.isWaiting)
        starts.started(isInput: false)
        #expect(!starts.isWaiting)
        start(isFirst: false)
    }

    @Test("do not wait for a client's code, or for a direction that does not exist")
    mutating func fewer() {
        start(isAwaited: false)
        #expect(!starts.isWaiting)
        starts.stop(hasOutput: true, hasInput: true)
        _ = starts.start(hasOutput: false, hasInput: true, isAwaited: true)
        #expect(starts.waitsForInput && !starts.waitsForOutput)
    }

    @Test("end with a failure, which is reported if nobody waits", arguments: [false, true])
    mutating func failure(isInput: Bool) {
        start()
        starts.started(isInput: !isInput)
        var isReported = starts.failed(isInput: isInput, error)
        #expect(!isReported)
        #expect(!starts.isWaiting)
        #expect(starts.failure != nil)

        starts.stop(hasOutput: true, hasInput: true)
        for isInput in [false, true] { starts.stopped(isInput: isInput) }
        start()
        expectEqual(starts.failure, nil)
        for isInput in [false, true] { starts.started(isInput: isInput) }
        starts.endWait()
        isReported = starts.failed(isInput: isInput, error)
        #expect(isReported)
        // The failure of the other direction is the same one.
        isReported = starts.failed(isInput: !isInput, error)
        #expect(!isReported)
    }

    @Test("ignore what belongs to an earlier start")
    mutating func earlier() {
        start()
        starts.stop(hasOutput: true, hasInput: true)
        start()
        for isInput in [false, true] {
            starts.started(isInput: isInput)
            let isReported = starts.failed(isInput: isInput, error)
            #expect(!isReported)
            #expect(starts.isWaiting && starts.failure == nil)
            starts.stopped(isInput: isInput)
            starts.started(isInput: isInput)
        }
        #expect(!starts.isWaiting)
    }

    @Test("report a failure after the time to wait")
    mutating func late() {
        start()
        starts.endWait()
        let isReported = starts.failed(isInput: false, error)
        #expect(isReported)
    }
}
