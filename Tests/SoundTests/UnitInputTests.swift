// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import AudioQueues
import AQUnits
import CoreAudioTypes
import AQSoundHarness
import AQTestTraits
import Testing

@Suite("An I/O unit captures", .serialized, .besideOthers, .timeLimit(.minutes(5)))
struct UnitInputTests {
    private let server: PulseServer

    init() throws { server = try PulseServer() }

    @Test("every frame once, with times that fit", arguments: [128, 512, 2048])
    func exact(bufferFrames: Int) throws {
        let player = try SignalPlayer(on: server)
        let rig = try UnitRig(server)
        try rig.unit.setEnabled(false, .output)
        try rig.unit.setMaximumFrames(4096)
        try rig.unit.setBufferFrames(bufferFrames)
        try rig.record()
        try rig.unit.initialize()
        try rig.unit.start()
        player.play(0..<96_000)
        try player.queue.start()
        #expect(player.waitForEnd())
        #expect(
            HostClock.poll(upToSeconds: 5) {
                rig.captured.signalRuns(minimumFrames: 500).last?.frames ?? 0 >= 96_000
            })
        rig.unit.stop()
        expectEqual(rig.failures, [])
        let runs = rig.captured.signalRuns(minimumFrames: 500)
        expectEqual(runs.map(\.position), [0])
        expectEqual(runs.map(\.frames), [96_000])
        let calls = rig.inputs
        for (call, next) in zip(calls, calls.dropFirst()) {
            expectEqual(next.sampleTime, call.sampleTime + Double(call.frames))
            #expect(next.hostTime >= call.hostTime)
        }
        rig.unit.uninitialize()
    }

    // A monitor of PipeWire adds a period, and reports no time for it.
    @Test(
        "in both directions: what its output plays comes back, where the time stamps place it",
        .enabled(if: (try? SoundServerKind.chosen()) == .pulseAudio, "only on PulseAudio"))
    func duplex() throws {
        let rig = try UnitRig(server)
        try rig.unit.setBufferFrames(256)
        try rig.record()
        try rig.play(0..<96_000)
        try rig.unit.initialize()
        try rig.unit.start()
        #expect(
            HostClock.poll(upToSeconds: 10) { rig.outputs.last.map { $0.position >= 96_000 } ?? false })
        rig.unit.stop()
        expectEqual(rig.failures, [])
        // A stall of the machine causes gaps between runs.
        let runs = rig.captured.signalRuns(minimumFrames: 500)
        let run = try #require(runs.max { $0.frames < $1.frames })
        // The calls that have played and captured the frame in the middle.
        let (position, frame) = (run.position + run.frames / 2, run.startFrame + run.frames / 2)
        let played = try #require(rig.outputs.last { $0.position <= position })
        let captured = try #require(rig.inputs.last { $0.position <= frame })
        let playedTime = Double(played.hostTime) + Double(position - played.position) / 48_000 * 1e9
        let capturedTime = Double(captured.hostTime) + Double(frame - captured.position) / 48_000 * 1e9
        #expect(abs(capturedTime - playedTime) < 1e6, "\((capturedTime - playedTime) / 1e6) ms")
        rig.unit.uninitialize()
    }
}
