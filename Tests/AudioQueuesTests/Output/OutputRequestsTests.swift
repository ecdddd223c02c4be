import Testing

@testable import AudioQueues

extension AllTests {
    @Suite("Requests of an output queue") struct OutputRequestsTests {
        @Test("a stop or flush ends a drain, and a stop takes back a start", arguments: [true, false])
        func reset(isStop: Bool) {
            var requests = OutputRequests()
            requests.startWhenDecoded()
            let drain = requests.beginDrain()
            let ticket = requests.beginReset(isStop ? .stop(isFailure: false) : .flush, itemLimit: 4)
            #expect(!requests.isDraining && !requests.endDrain(drain))
            #expect(requests.takeStart() == !isStop)
            #expect(isStopPending == isStop && !resets.isEmpty)
            #expect(resets.takeFirst(answeredBy: ticket)?.itemLimit == 4)
            #expect(resets.isEmpty && !isStopPending)
        }

        @Test("only the drain that was asked for last is answered, once")
        func drain() {
            var requests = OutputRequests()
            let first = requests.beginDrain()
            requests.forgetDrain()
            let second = requests.beginDrain()
            #expect(!requests.endDrain(first) && requests.isDraining)
            #expect(requests.endDrain(second) && !requests.endDrain(second))
        }
    }
}
