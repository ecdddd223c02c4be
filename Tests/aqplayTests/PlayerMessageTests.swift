import AudioQueues
import Testing

@testable import aqplay

@Suite("What aqplay says when a queue fails")
struct PlayerMessageTests {
    @Test("no server: what to do about it")
    func noServer() {
        let failure = QueueError(
            .cannotStart, "no sound server answers at the default address: connection refused")
        #expect(
            Player.message(for: failure)
                == "cannot play: no sound server answers at the default address: connection refused; "
                + "start PulseAudio or PipeWire, or play without sound with '--device virtual'")
    }

    @Test("no such device: where its name is found")
    func noDevice() {
        let failure = QueueError(.invalidDevice, "cannot play on 'x': no such entity")
        #expect(
            Player.message(for: failure)
                == "cannot play on 'x': no such entity; '--list-devices' shows the devices")
    }

    @Test("a server that stayed away: the reason alone")
    func lostServer() {
        let failure = QueueError(.queueInvalidated, "the sound server went away")
        #expect(Player.message(for: failure) == "cannot play: the sound server went away")
    }
}
