// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import AudioQueues

extension AllTests {
    @Suite("Requests of an output queue") struct OutputRequestsTests {
        @Test("only the last requested drain is answered, once")
        func drain() {
            var requests = OutputRequests()
            requests.beginDrain(1)
            requests.endDrain()
            requests.beginDrain(2)
            #expect(requests.endDrain(1) == false && requests.isDraining)
            #expect(requests.endDrain(2) == true && requests.endDrain(2) == false)
        }

        @Test("a start that waits for audio is made once, unless it is cancelled")
        func start() {
            var requests = OutputRequests()
            requests.startsWhenDecoded = true
            #expect(requests.takeStart() == true && requests.takeStart() == false)
            requests.startsWhenDecoded = true
            requests.startsWhenDecoded = false
            expectEqual(requests.takeStart(), false)
        }
    }
}
