// SPDX-License-Identifier: MIT

import AQExpectations
import AVFAudio
import AQTestSupport
import Testing

@Suite("The times of a player node") struct PlayerNodeTimeTests {
    @Test("in manual rendering exist once play() has returned, also of a player that was attached late")
    func manual() throws {
        let frameZero = AVAudioTime(sampleTime: 0, atRate: 48_000)
        let rig = try OfflineRig()
        _ = try rig.player()
        try rig.engine.start()
        _ = try rig.render(4_800)
        let late = try rig.player()
        late.play()
        let time = try #require(late.nodeTime(forPlayerTime: frameZero))
        #expect(time.sampleTime == 4_800 && !time.isHostTimeValid)
        _ = try rig.render(512)
        #expect(late.nodeTime(forPlayerTime: frameZero)?.sampleTime == 4_800)
    }
}
