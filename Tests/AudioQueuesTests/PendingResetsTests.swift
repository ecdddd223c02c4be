// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import AudioQueues

extension AllTests {
    @Suite("Pending resets") struct PendingResetsTests {
        @Test("an answer completes every reset up to its ticket, the oldest first")
        func answers() {
            var resets = PendingResets<String>()
            let first = resets.add("first", itemLimit: 3)
            _ = resets.takeTicket()
            let second = resets.add("second", itemLimit: 5)
            expectEqual(second, first + 2)
            #expect(resets.takeFirst(answeredBy: first - 1) == nil)
            #expect(resets.isPending(through: first))
            expectEqual(resets.takeFirst(answeredBy: second)?.kind, "first")
            #expect(!resets.isPending(through: first) && resets.isPending(through: second))
            expectEqual(resets.takeFirst(answeredBy: second)?.itemLimit, 5)
            #expect(resets.isEmpty)
        }

        @Test(
            "the latest reset can return more, and for another reason; without a reset there is nothing to extend"
        )
        func extends() {
            var resets = PendingResets<String>()
            expectEqual(resets.extendLast(to: 7), nil)
            let ticket = resets.add("stop", itemLimit: 3)
            expectEqual(resets.extendLast(to: 7), ticket)
            resets.changeLast(to: "failure")
            #expect(resets.last?.itemLimit == 7 && resets.contains { $0 == "failure" })
        }
    }
}
