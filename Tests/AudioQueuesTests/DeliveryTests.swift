// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import AudioQueues

extension AllTests {
    @Suite("Delivery of events") struct DeliveryTests {
        private enum Event: ClientEvent, Equatable {
            case buffer(Int)
            case change

            var returnsBuffer: Bool { self != .change }
        }

        private func delivery(_ events: Event...) -> Delivery<Event> {
            var delivery = Delivery<Event>()
            for event in events { delivery.add(event) }
            return delivery
        }

        @Test("events are delivered one at a time, in order")
        func order() {
            var delivery = delivery(.buffer(1), .change)
            expectEqual(delivery.takeNext(), .buffer(1))
            #expect(delivery.takeNext() == nil && !delivery.isIdle)
            delivery.finish()
            expectEqual(delivery.takeNext(), .change)
            delivery.finish()
            #expect(delivery.takeNext() == nil && delivery.isIdle)
            #expect(delivery.added == 2 && delivery.done == 2)
        }

        @Test("buffers are pending until the last event that returns one was delivered, whatever follows it")
        func owed() {
            var delivery = delivery(.buffer(1), .change)
            let last = delivery.lastReturn
            #expect(delivery.owesReturns && delivery.isAwaited(last))
            _ = delivery.takeNext()
            #expect(delivery.owesReturns && delivery.isAwaited(last))
            delivery.finish()
            #expect(!delivery.owesReturns && !delivery.isAwaited(last) && !delivery.isEmpty)
        }

        @Test("closing drops present and future events, and waits for none")
        func close() {
            var delivery = delivery(.buffer(1), .buffer(2))
            let last = delivery.lastReturn
            _ = delivery.takeNext()
            delivery.close()
            delivery.add(.buffer(3))
            #expect(delivery.isEmpty && delivery.isDelivering && !delivery.isAwaited(last))
            delivery.finish()
            #expect(delivery.isIdle && delivery.done == 2)
        }

        @Test("only a callback that runs for most of the wait is given up")
        func giveUp() {
            var delivery = delivery(.buffer(1))
            delivery.giveUp(on: 1)
            #expect(!delivery.isGivenUp)
            _ = delivery.takeNext()
            delivery.giveUp(on: 1)
            #expect(!delivery.isGivenUp && delivery.isAwaited(1))
        }

        @Test("a thread is woken once for added work, and again if it is requested and work waits")
        func schedule() {
            var delivery = delivery(.buffer(1), .change)
            #expect(delivery.takeSchedule() && !delivery.takeSchedule())
            delivery.scheduleAgain()
            expectEqual(delivery.takeSchedule(), true)
            delivery.close()
            delivery.scheduleAgain()
            expectEqual(delivery.takeSchedule(), false)
        }

        @Test("buffers are refused until every stop has ended")
        func refusals() {
            var delivery = Delivery<Event>()
            delivery.refuse(until: 1)
            delivery.refuse(until: 2)
            delivery.endRefusal(of: 1)
            #expect(delivery.isRefusing && delivery.isRefusing(until: 2) && !delivery.isRefusing(until: 1))
            delivery.endRefusals()
            #expect(!delivery.isRefusing)
        }
    }
}
