// SPDX-License-Identifier: MIT

import AQExpectations
import AudioQueues
import Testing

@testable import aqplay

@Suite("Messages of aqplay when a queue fails")
struct PlayerMessageTests {
    @Test("no server: the remedy")
    func noServer() {
        let failure = QueueError(
            .cannotStart, "no sound server answers at the default address: connection refused")
        expectEqual(
            Player.message(for: failure),
            "cannot play: no sound server answers at the default address: connection refused; "
                + "start PulseAudio or PipeWire, or play without sound with '--device virtual'")
    }

    @Test("no such device: the option that lists the names")
    func noDevice() {
        let failure = QueueError(.invalidDevice, "cannot play on 'x': no such entity")
        expectEqual(
            Player.message(for: failure),
            "cannot play on 'x': no such entity; '--list-devices' shows the devices")
    }

    @Test("a server that did not return: the reason alone")
    func lostServer() {
        let failure = QueueError(.queueInvalidated, "the connection to the sound server was lost")
        expectEqual(Player.message(for: failure), "cannot play: the connection to the sound server was lost")
    }
}
