// SPDX-License-Identifier: MIT

import AQDevices
import AQUnits
import CoreAudioTypes
import Glibc
import AQSoundHarness
import AQTestSupport
import AQTestTraits
import Testing

/// With AQ_LONG=1, for 10 minutes.
@Suite("A unit that plays what it captures", .serialized, .measuring, .timeLimit(.minutes(20)))
struct UnitLoopThroughTests {
    private static let seconds = Environment.isLong ? 600.0 : 12
    /// The frames of a block whose phase is measured, a tenth of a second.
    private static let blockFrames = 4_800

    /// Half of a slice of 512 frames is in the server when the next is rendered.
    private static let longestHarmlessStall = 0.003

    /// In milliseconds. Without a correction the shortest test has 3 ms.
    private static let largestChange = 1.5

    private let server: PulseServer

    init() throws { server = try PulseServer() }

    // It fails on PipeWire 0.3.65, probably because its source of a pipe runs dry.
    @Test(
        "keeps its delay if the microphone's clock differs by 200 ppm, and makes no click",
        .enabled(if: (try? SoundServerKind.chosen()) == .pulseAudio, "only on PulseAudio"))
    func drift() throws {
        let (clicks, stalledClicks, delays) = try loopThrough()
        // After a stall that the device's buffer does not cover, the delay may be another.
        let starts = [0] + stalledClicks.map { $0 / Self.blockFrames + 1 } + [delays.count]
        let ranges = zip(starts, starts.dropFirst()).filter { $0 < $1 }.map { start, end in
            let part = delays[min(start, delays.count)..<min(end, delays.count)]
            return (part.max() ?? 0) - (part.min() ?? 0)
        }
        let (least, most) = (delays.min() ?? 0, delays.max() ?? 0)
        print(
            "\(delays.count / 10) s: \(clicks.count) clicks, \(stalledClicks.count) at stalls of the machine, "
                + "delays of \(least) to \(most) ms")
        #expect(delays.count > Int(Self.seconds - 3) * 10)
        #expect(clicks.isEmpty)
        #expect(ranges.allSatisfy { $0 < Self.largestChange }, "\(ranges)")
    }

    /// Plays what is captured; returns the frames at clicks, those near stalls since the first block, and the delays.
    private func loopThrough() throws -> (clicks: [Int], stalledClicks: [Int], delays: [Double]) {
        let stalls = StallWatch(.highestPriority, longerThan: Self.longestHarmlessStall)
        let source = try DriftingSource(on: server)
        defer { source.end() }
        let unit = IOUnit(
            outputDevice: try PulseDevice(sink: "test", server: server.address),
            inputDevice: try PulseSource(source: DriftingSource.name, server: server.address))
        let format = AudioStreamBasicDescription.float(channels: 1, sampleRate: 48_000)
        try unit.setEnabled(true, .input)
        try unit.setBufferFrames(512)
        try unit.setClientFormat(format, .output)
        try unit.setClientFormat(format, .input)
        unsafe unit.setRenderCode { _, _, _, frames, list in
            guard let list = unsafe list else { return -1 }
            try? unsafe unit.render(bus: 1, frames: frames, into: UnsafeMutableAudioBufferListPointer(list))
            return 0
        }
        // Code that is informed of captured slices does not take them from the output.
        unsafe unit.setInputCode { _, _, _, _, _ in 0 }
        let capture = try MonitorCapture(
            source: "test.monitor", sampleRate: 48_000, channels: 1, environment: server.environment)
        try unit.initialize()
        try unit.start()
        try source.begin()
        HostClock.wait(until: HostClock.time(inSeconds: Self.seconds))
        let played = capture.recording
        unit.stop()
        _ = capture.stop()
        unit.setRenderCode(nil)
        unit.uninitialize()

        // The unit's first second includes the sink's change of its period.
        let begin = try #require(played.firstSoundFrame()) + 48_000
        let stalled = stalls.end()
        let clicks = Self.clicks(played.samples[begin...])
        let unexplained = clicks.filter { frame in
            guard let time = played.hostTime(ofFrame: frame) else { return true }
            return !stalled.contains { abs(Double($0.end) - Double(time)) < 0.1e9 }
        }
        let explained = clicks.filter { !unexplained.contains($0) }.map { $0 - begin }
        return (unexplained, explained, Self.delays(played, from: begin))
    }

    /// The frequency of the source's sine, in radians per frame of the source.
    private static let step = 2 * Double.pi * DriftingSource.frequency / Double(DriftingSource.sampleRate)

    /// The frames at which a sample is not what the two before it say about a sine. A jump by half a frame differs
    /// by up to 0.003.
    private static func clicks(_ samples: ArraySlice<Float>) -> [Int] {
        let factor = Float(2 * cos(step))
        return samples.indices.dropFirst().dropLast().filter {
            abs(samples[$0 + 1] - factor * samples[$0] + samples[$0 - 1]) > 0.003
        }
    }

    /// The delay of each block, in milliseconds, relative to any time: the time at which it is played, less the time of
    /// the source's frames that its phase shows.
    private static func delays(_ played: Recording, from begin: Int) -> [Double] {
        var delays: [Double] = []
        var (last, turns) = (0.0, 0.0)
        var times = played.blocks[...]
        for start in stride(from: begin, to: played.frames - blockFrames, by: blockFrames) {
            var (real, imaginary) = (0.0, 0.0)
            for index in start..<start + blockFrames {
                let angle = (step * Double(index)).truncatingRemainder(dividingBy: 2 * .pi)
                real += Double(played.samples[index]) * sin(angle)
                imaginary += Double(played.samples[index]) * cos(angle)
            }
            let phase = atan2(imaginary, real) / (2 * .pi)
            if delays.isEmpty { last = phase }
            turns += phase - last - (phase - last).rounded()
            last = phase
            let sourceFrame =
                Double(start) + turns * Double(DriftingSource.sampleRate) / DriftingSource.frequency
            // Delays of arrivals vary by a millisecond: the line through those within three seconds counts.
            times = times.drop { $0.startFrame < start - 30 * blockFrames }
            let near = times.prefix { $0.startFrame < start + 30 * blockFrames }
            guard near.count > 100 else { continue }
            let arrivals = LineFit(near.map { (Double($0.startFrame), Double($0.hostTime) / 1e6) })
            let arrival = arrivals.value(at: Double(start))
            delays.append(arrival - sourceFrame / 48 / (1 + DriftingSource.deviation / 1e6))
        }
        let first = delays.first ?? 0
        return delays.map { $0 - first }
    }
}
