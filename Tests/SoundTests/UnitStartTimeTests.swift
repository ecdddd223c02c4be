// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import AQUnits
import CoreAudioTypes
import AQSoundHarness
import AQTestTraits
import Testing

@Suite("An I/O unit with a start time", .serialized, .besideOthers, .timeLimit(.minutes(5)))
struct UnitStartTimeTests {
    private let server: PulseServer

    init() throws {
        var options = PulseServer.Options()
        // A monitor that records frames when they are audible.
        options.hasRewinds = true
        server = try PulseServer(options)
    }

    private func makeRig() throws -> UnitRig {
        let rig = try UnitRig(server)
        try rig.unit.setBufferFrames(256)
        try rig.play(0..<48_000)
        return rig
    }

    @Test(
        "plays its code's first frame at that time, and at once after the next start", arguments: [0.3, 1.2])
    func output(inSeconds seconds: Double) throws {
        let rig = try makeRig()
        try rig.unit.initialize()
        let capture = try MonitorCapture(server)
        let start = HostClock.time(inSeconds: seconds)
        rig.unit.setStartTime(start)
        try rig.unit.start()
        #expect(HostClock.poll(upToSeconds: 5) { rig.outputs.count > 20 })
        let first = try #require(rig.outputs.first)
        expectEqual(first.sampleTime, 0)
        #expect(abs(HostClock.seconds(from: start, to: first.hostTime)) < 0.001)
        #expect(HostClock.seconds(from: first.entryTime, to: start) < 0.1)
        #expect(capture.waitForSignal(4_800))
        rig.unit.stop()
        let played = capture.stop()
        let run = try #require(played.signalRuns(minimumFrames: 500).first)
        expectEqual(run.position, 0)
        let playedAt = try #require(played.hostTime(ofFrame: run.startFrame))
        #expect(abs(HostClock.seconds(from: start, to: playedAt)) < 0.06)
        let count = rig.outputs.count
        let again = HostClock.now
        try rig.unit.start()
        #expect(HostClock.poll(upToSeconds: 5) { rig.outputs.count > count + 5 })
        #expect(HostClock.seconds(from: again, to: rig.outputs[count].entryTime) < 0.2)
        rig.unit.uninitialize()
    }

    @Test(
        "plays nothing of that start if it stops before, and drops what was rendered",
        arguments: [false, true])
    func stopped(isRendered: Bool) throws {
        let rig = try makeRig()
        try rig.unit.initialize()
        let capture = try MonitorCapture(server)
        let start = HostClock.time(inSeconds: 0.4)
        rig.unit.setStartTime(start)
        try rig.unit.start()
        if isRendered {
            // Shortly before the time. The sink may have taken the slice already.
            #expect(HostClock.poll(upToSeconds: 5, every: 0.0005) { !rig.outputs.isEmpty })
        } else {
            HostClock.wait(until: start - 150_000_000)
        }
        rig.unit.stop()
        let calls = rig.outputs.count
        #expect(isRendered || (calls == 0 && !capture.waitForSound(upToSeconds: 0.3)))
        try rig.unit.start()
        #expect(capture.waitForSignal(4_800))
        rig.unit.stop()
        let next = rig.outputs[calls].position
        let run = try #require(capture.stop().signalRuns(minimumFrames: 500).first)
        // A monitor with rewinds may miss the first frames of a stream.
        #expect(next..<next + 128 ~= run.position)
        rig.unit.uninitialize()
    }

    @Test("starts at once if the time has passed") func past() throws {
        let rig = try makeRig()
        try rig.unit.initialize()
        let now = HostClock.now
        rig.unit.setStartTime(now - 1_000_000_000)
        try rig.unit.start()
        #expect(HostClock.poll(upToSeconds: 5) { rig.outputs.count > 5 })
        expectEqual(rig.outputs.first.map { HostClock.seconds(from: now, to: $0.entryTime) < 0.2 }, true)
        rig.unit.uninitialize()
    }

    @Test("waits for it also if a setting makes its streams again") func remade() throws {
        let rig = try makeRig()
        try rig.unit.initialize()
        let start = HostClock.time(inSeconds: 0.6)
        rig.unit.setStartTime(start)
        try rig.unit.start()
        try rig.unit.setChannelMap([1, 0], .output)
        #expect(HostClock.poll(upToSeconds: 5) { rig.outputs.count > 5 })
        let first = try #require(rig.outputs.first)
        #expect(abs(HostClock.seconds(from: start, to: first.hostTime)) < 0.001)
        rig.unit.uninitialize()
    }

    @Test("captures from that time on", arguments: [true, false]) func input(playsToo: Bool) throws {
        let rig = try makeRig()
        try rig.unit.setEnabled(playsToo, .output)
        try rig.record()
        try rig.unit.initialize()
        let start = HostClock.time(inSeconds: 0.5)
        rig.unit.setStartTime(start)
        try rig.unit.start()
        #expect(HostClock.poll(upToSeconds: 5) { rig.inputs.count > 20 })
        let first = try #require(rig.inputs.first)
        expectEqual(first.sampleTime, 0)
        #expect(abs(HostClock.seconds(from: start, to: first.hostTime)) < 0.002)
        rig.unit.uninitialize()
    }
}
