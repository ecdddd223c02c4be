// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import AudioQueues
import AQUnits
import CoreAudioTypes
import AQSoundHarness
import Synchronization
import AQTestTraits
import Testing

/// Slices and buffers that are shorter than the period of the server, which takes whole periods or nothing.
@Suite(
    "On a server with long periods", .serialized, .measuring, .timeLimit(.minutes(5)),
    .enabled(if: (try? SoundServerKind.chosen()) == .pipeWire))
struct LongPeriodTests {
    private func makeServer(periodFrames: Int) throws -> PulseServer {
        var options = PulseServer.Options()
        options.periodFrames = periodFrames
        return try PulseServer(options)
    }

    @Test(
        "a unit with short slices plays every frame, at the latency of one and a half periods or a slice more than one",
        arguments: [64, 128, 256, 512], [256, 512, 1024])
    func unit(sliceFrames: Int, periodFrames: Int) throws {
        let server = try makeServer(periodFrames: periodFrames)
        defer { server.stop() }
        let rig = try UnitRig(server)
        try rig.unit.setBufferFrames(sliceFrames)
        try rig.play(0..<96_000)
        let capture = try MonitorCapture(server)
        try rig.unit.initialize()
        try rig.unit.start()
        #expect(capture.waitForSignal(95_000))
        let played = capture.stop()
        rig.unit.uninitialize()
        let runs = played.signalRuns(minimumFrames: 1)
        expectEqual(runs.first?.position, 0)
        expectEqual(runs.map(\.frames).reduce(0, +), 96_000)
        #expect(zip(runs, runs.dropFirst()).allSatisfy { $1.position == $0.position + $0.frames })
        #expect(runs.count == 1 || rig.overloads > 0)
        // The first second includes the start.
        let frames = rig.outputs.filter { 48_000..<96_000 ~= $0.position }
            .map { (Double($0.hostTime) - Double($0.entryTime)) * 48_000 / 1e9 }.sorted()
        let median = frames[frames.count / 2]
        // The server takes a period, and the next one waits for it, half of which was rendered before.
        let most = max(1.5 * Double(periodFrames), Double(periodFrames + sliceFrames))
        #expect(median > 0 && median < most, "\(median) frames")
        let heard = rig.outputs.filter { 48_000..<95_000 ~= $0.position }
            .compactMap { call -> Double? in
                guard let run = runs.last(where: { $0.position <= call.position }),
                    let time = played.hostTime(ofFrame: run.startFrame + call.position - run.position)
                else { return nil }
                return (Double(time) - Double(call.hostTime)) / 1e9
            }.sorted()
        // The monitor delivers a block when its last frame is audible.
        let late = heard[heard.count / 2]
        print(
            "slices of \(sliceFrames), periods of \(periodFrames): \(median) frames, heard \(late * 1e3) ms later"
        )
        #expect(abs(late) < Double(periodFrames) / 48_000 + 0.005, "\(late) s")
    }

    @Test(
        "a queue plays short buffers without a gap",
        arguments: [(3, 64), (3, 128), (2, 256), (3, 256), (2, 400)],
        [512, 1024])
    func queue(buffers: (count: Int, frames: Int), periodFrames: Int) throws {
        let server = try makeServer(periodFrames: periodFrames)
        defer { server.stop() }
        let capture = try MonitorCapture(server)
        let next = Mutex(0)
        let fill: @Sendable (OutputQueue, QueueBuffer) -> Void = { queue, buffer in
            next.withLock { position in
                let signal = TestSignal.make(sampleRate: 48_000, frames: buffers.frames, from: position)
                unsafe signal.samples.withUnsafeBytes { unsafe buffer.bytes.copyBytes(from: $0) }
                buffer.byteCount = buffers.frames * 8
                position += buffers.frames
            }
            // Refused from the stop on.
            try? queue.enqueue(buffer)
        }
        let queue = try OutputQueue(
            format: .float(channels: 2, sampleRate: 48_000), device: PulseDevice(server: server.address),
            configuration: OutputQueue.Configuration(latency: .buffers), onBufferDone: fill)
        for _ in 0..<buffers.count { fill(queue, try queue.allocateBuffer(byteCapacity: buffers.frames * 8)) }
        try queue.start()
        #expect(capture.waitForSignal(96_000))
        let measured = try #require(queue.granted).measuredSeconds
        try queue.dispose(immediate: true)
        let played = capture.stop()
        let runs = played.signalRuns(minimumFrames: 1).filter { $0.frames > 100 }
        print(
            "\(buffers.count) buffers of \(buffers.frames), periods of \(periodFrames): \(measured * 1e3) ms, \(runs.count) runs"
        )
        // The start may have a gap, until the length of a period is known.
        let late = runs.drop { $0.position + $0.frames < 24_000 }
        expectEqual(late.count, 1, "\(runs)")
        #expect(measured < Double(2 * periodFrames + buffers.count * buffers.frames) / 48_000)
    }
}
