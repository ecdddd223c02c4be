// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import AQUnits
import CoreAudioTypes
import AQSoundHarness
import Synchronization
import AQTestSupport
import AQTestTraits
import Testing

/// With AQ_LONG=1, over 60 s and 10 minutes.
@Suite("The times of an I/O unit", .serialized, .measuring, .timeLimit(.minutes(20)))
struct UnitClockTests {
    private let server: PulseServer

    init() throws { server = try PulseServer() }

    @Test("of captured slices are on a line", arguments: [128, 256, 512])
    func capturedSlices(bufferFrames: Int) throws {
        let rig = try UnitRig(server)
        try rig.unit.setEnabled(false, .output)
        try rig.unit.setBufferFrames(bufferFrames)
        try rig.record()
        try rig.unit.initialize()
        try rig.unit.start()
        HostClock.wait(until: HostClock.time(inSeconds: Environment.isLong ? 61 : 3.5))
        rig.unit.stop()
        rig.unit.uninitialize()
        expectEqual(rig.failures, [])
        let calls = rig.inputs.drop { $0.sampleTime < 48_000 }
        try #require(calls.count > 100)
        let line = LineFit(calls.map { ($0.sampleTime, Double($0.hostTime)) })
        let farthest = calls.map { abs(Double($0.hostTime) - line.value(at: $0.sampleTime)) / 1e6 }.max() ?? 0
        print("\(calls.count) slices of \(bufferFrames): up to \(farthest) ms from the line")
        #expect(farthest < 1000 * SoundServerTraits.chosen.captureTimeErrorSeconds, "\(farthest) ms")
    }

    // A monitor of PipeWire adds a period, and reports no time for it.
    @Test(
        "place a click from the output where it was played",
        .enabled(if: (try? SoundServerKind.chosen()) == .pulseAudio, "only on PulseAudio"))
    func clicks() throws {
        let loop = try ClickLoop(server)
        try loop.unit.initialize()
        try loop.unit.start()
        let seconds = Environment.isLong ? 600.0 : 4
        HostClock.wait(until: HostClock.time(inSeconds: seconds + 0.5))
        loop.unit.stop()
        loop.unit.uninitialize()
        let distances = loop.distances
        try #require(distances.count > Int(seconds * 2) - 4)
        let farthest = distances.map(abs).max() ?? 0
        print(
            "\(distances.count) clicks: up to \(farthest) ms from their places, \(loop.overloads) overloads")
        #expect(farthest < 0.5, "\(farthest) ms")
    }
}

/// A unit whose output plays two clicks a second, which its input finds in the monitor.
private final class ClickLoop: Sendable {
    private static let (bufferFrames, clickFrames) = (256, 24_000)

    private struct State {
        /// The times at which clicks are audible, and at which they were captured, in nanoseconds.
        var played: [Double] = []
        var found: [Double] = []
        var overloads = 0
    }

    let unit: IOUnit
    private let state = Mutex(State())

    init(_ server: PulseServer) throws {
        unit = IOUnit(
            outputDevice: try PulseDevice(server: server.address),
            inputDevice: try PulseSource(source: "test.monitor", server: server.address))
        let format = AudioStreamBasicDescription.float(channels: 1, sampleRate: 48_000)
        try unit.setEnabled(true, .input)
        try unit.setBufferFrames(Self.bufferFrames)
        try unit.setClientFormat(format, .output)
        try unit.setClientFormat(format, .input)
        unit.setListener { [weak self] change in
            if change == .overload { self?.state.withLock { $0.overloads += 1 } }
        }
        unsafe unit.setRenderCode { [weak self] _, time, _, frames, list in
            guard let list = unsafe list else { return -1 }
            unsafe self?.play(time.pointee, UnsafeMutableBufferPointer<Float>(list.pointee.mBuffers))
            return 0
        }
        unsafe unit.setInputCode { [weak self] _, time, bus, frames, _ in
            unsafe self?.find(time.pointee, bus, frames)
            return 0
        }
    }

    private func play(_ time: AudioTimeStamp, _ samples: UnsafeMutableBufferPointer<Float>) {
        let first = Int(time.mSampleTime)
        // The sink's first second includes the change of its period.
        let click = (first + Self.clickFrames - 1) / Self.clickFrames * Self.clickFrames
        guard click >= 48_000, click < first + samples.count else { return }
        unsafe samples[click - first] = 0.5
        state.withLock { $0.played.append(Double(time.mHostTime) + Double(click - first) / 48_000 * 1e9) }
    }

    private func find(_ time: AudioTimeStamp, _ bus: Int, _ frames: Int) {
        var list = unsafe AudioBufferList(
            mNumberBuffers: 1, mBuffers: AudioBuffer(mNumberChannels: 1, mDataByteSize: 0, mData: nil))
        unsafe withUnsafeMutablePointer(to: &list) { list in
            let buffers = unsafe UnsafeMutableAudioBufferListPointer(list)
            guard unsafe (try? unit.render(bus: bus, frames: frames, into: buffers)) != nil else { return }
            let samples = unsafe UnsafeMutableBufferPointer<Float>(buffers[0])
            for index in 0..<frames where unsafe samples[index] > 0.25 {
                state.withLock { $0.found.append(Double(time.mHostTime) + Double(index) / 48_000 * 1e9) }
            }
        }
    }

    var overloads: Int { state.withLock { $0.overloads } }

    /// The distance of each captured click from the nearest played one, in milliseconds.
    var distances: [Double] {
        state.withLock { state in
            state.found.compactMap { found in
                state.played.map { (found - $0) / 1e6 }.min { abs($0) < abs($1) }
            }
        }
    }
}
