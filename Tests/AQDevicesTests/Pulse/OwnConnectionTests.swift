// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import AQDevices

@Suite("Connections of one client") struct OwnConnectionTests {
    // In a process of its own, which uses no other connection.
    @Test("are as many for clients that also capture as for others") func number() async {
        await #expect(processExitsWith: .success) {
            let taken = (0..<PulseOwnConnection.mostAtOnce).compactMap { _ -> PulseOwnConnection? in
                let own = PulseOwnConnection.take(to: "unix:/nowhere", most: PulseOwnConnection.mostAtOnce)
                #expect(own?.connectionForInput().loop === own?.connection.loop)
                return own
            }
            expectEqual(taken.count, PulseOwnConnection.mostAtOnce)
            #expect(taken[0].connectionForInput() !== taken[0].connection)
            #expect(taken.last?.connectionForInput() === taken.last?.connection)
            // A connection that was returned has a second one again.
            taken[0].giveBack()
            let again = PulseOwnConnection.take(to: "unix:/nowhere", most: PulseOwnConnection.mostAtOnce)
            #expect(again?.connectionForInput() !== again?.connection)
            withExtendedLifetime(taken) {}
        }
    }
}
