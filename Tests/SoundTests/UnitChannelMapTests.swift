// SPDX-License-Identifier: MIT

import AQDevices
import AQUnits
import CoreAudioTypes
import AQSoundHarness
import Synchronization
import AQTestTraits
import Testing

@Suite("An I/O unit with a channel map", .serialized, .besideOthers, .timeLimit(.minutes(5)))
struct UnitChannelMapTests {
    // Not in the order of labels.
    private static let positions = "front-left,front-right,rear-left,rear-right,front-center,lfe"

    private let server: PulseServer

    init() throws {
        var options = PulseServer.Options()
        options.channels = 6
        options.channelMap = Self.positions
        server = try PulseServer(options)
    }

    private func capture() throws -> MonitorCapture {
        try MonitorCapture(
            source: "test.monitor", sampleRate: 48_000, channels: 6, channelMap: Self.positions,
            environment: server.environment)
    }

    @Test(
        "plays a channel on those that the map names, and nowhere else",
        arguments: [
            (map: [-1, -1, 1, -1, -1, -1], levels: [0, 0, 0.25, 0, 0, 0]),
            (map: [1, 0, -1, 0, -1, 1], levels: [0.25, 0.125, 0, 0.125, 0, 0.25]),
            (map: [-1, -1, -1, 0], levels: [0, 0, 0, 0.125, 0, 0]),
            (map: [-1, 0, 5, -1, -1, 1, 0, 0], levels: [0, 0.125, 0, 0, 0, 0.25]),
        ] as [(map: [Int], levels: [Float])],
        [
            .float(channels: 2, sampleRate: 48_000),
            .float(isInterleaved: false, channels: 2, sampleRate: 48_000),
            .signedInteger(bits: 16, channels: 2, sampleRate: 48_000),
            .signedInteger(bits: 24, channels: 2, sampleRate: 48_000),
        ] as [AudioStreamBasicDescription])
    func output(_ test: (map: [Int], levels: [Float]), _ format: AudioStreamBasicDescription) throws {
        let rig = try LevelRig(server)
        try rig.play(format)
        try rig.unit.setChannelMap(test.map, .output)
        let capture = try capture()
        try rig.unit.initialize()
        try rig.unit.start()
        #expect(capture.waitForSound(ofFrames: 9_600))
        rig.unit.uninitialize()
        let played = Frames(capture.stop())
        #expect(played.isSilent(where: test.levels))
        #expect(played.count(of: test.levels) >= 9_000)
    }

    @Test("plays the device's channels in their order if the map names all") func identity() throws {
        let rig = try LevelRig(server)
        try rig.play(.float(channels: 6, sampleRate: 48_000))
        try rig.unit.setChannelMap([0, 1, 2, 3, 4, 5], .output)
        let capture = try capture()
        try rig.unit.initialize()
        try rig.unit.start()
        #expect(capture.waitForSound(ofFrames: 9_600))
        rig.unit.uninitialize()
        #expect(
            Frames(capture.stop()).count(of: [0.125, 0.25, 0.375, 0.5, 0.625, 0.75]) >= 9_000)
    }

    @Test("changes while it runs") func changes() throws {
        let rig = try LevelRig(server)
        try rig.play(.float(channels: 2, sampleRate: 48_000))
        let capture = try capture()
        try rig.unit.initialize()
        try rig.unit.start()
        for (map, levels) in [
            ([1, -1, -1, -1, -1, -1], [0.25, 0, 0, 0, 0, 0]), ([-1, 0], [0, 0.125, 0, 0, 0, 0]),
        ] as [([Int], [Float])] {
            try rig.unit.setChannelMap(map, .output)
            #expect(HostClock.poll(upToSeconds: 5) { Frames(capture.recording).count(of: levels) >= 4_800 })
        }
        // By labels, both front channels play.
        try rig.unit.setChannelMap(nil, .output)
        #expect(
            HostClock.poll(upToSeconds: 5) {
                Frames(capture.recording).frames.suffix(48).contains { $0[0] > 0 && $0[1] > 0 }
            })
        rig.unit.uninitialize()
    }

    @Test(
        "captures the channels that the map names, and silence for the others",
        arguments: [
            .float(channels: 4, sampleRate: 48_000),
            .float(isInterleaved: false, channels: 4, sampleRate: 48_000),
            .signedInteger(bits: 16, channels: 4, sampleRate: 48_000),
        ] as [AudioStreamBasicDescription])
    func input(format: AudioStreamBasicDescription) throws {
        let player = try LevelRig(server)
        try player.playOnEachChannel()
        let rig = try LevelRig(server)
        try rig.unit.setEnabled(false, .output)
        try rig.record(format)
        try rig.unit.setChannelMap([4, -1, 2, 2], .input)
        try rig.unit.initialize()
        try rig.unit.start()
        let levels: [Float] = [0.625, 0, 0.375, 0.375]
        #expect(HostClock.poll(upToSeconds: 10) { rig.captured.count(of: levels) >= 9_600 })
        rig.unit.uninitialize()
        player.unit.uninitialize()
        #expect(rig.captured.isSilent(where: levels))
    }

    // The captured frames are resampled.
    @Test("captures them also within its output's code") func duplex() throws {
        let rig = try LevelRig(server)
        try rig.playOnEachChannel(andRecords: .float(channels: 3, sampleRate: 48_000), map: [5, -1, 1])
        let levels: [Float] = [0.75, 0, 0.25]
        #expect(
            HostClock.poll(upToSeconds: 10) {
                rig.captured.count(of: levels, within: 0.01) >= 9_600
            })
        rig.unit.uninitialize()
        #expect(rig.captured.isSilent(where: levels))
    }
}

/// Recorded frames.
private struct Frames {
    var frames: [[Float]]

    init(_ frames: [[Float]]) { self.frames = frames }

    init(_ recording: Recording) {
        frames = stride(from: 0, to: recording.samples.count, by: recording.channels).map {
            Array(recording.samples[$0..<$0 + recording.channels])
        }
    }

    func count(of levels: [Float], within tolerance: Float = 0) -> Int {
        frames.count { frame in zip(frame, levels).allSatisfy { abs($0 - $1) <= tolerance } }
    }

    /// Whether the channels of level 0 are silent from first to last.
    func isSilent(where levels: [Float]) -> Bool {
        frames.allSatisfy { frame in zip(frame, levels).allSatisfy { $1 != 0 || $0 == 0 } }
    }
}

/// A unit that plays a constant level on each channel, 1/8 on the first and more on the others, and records.
private final class LevelRig: Sendable {
    let unit: IOUnit
    private let frames = Mutex<[[Float]]>([])

    init(_ server: PulseServer) throws {
        unit = IOUnit(
            outputDevice: try PulseDevice(server: server.address),
            inputDevice: try PulseSource(source: "test.monitor", server: server.address))
    }

    var captured: Frames { Frames(frames.withLock { $0 }) }

    func play(_ format: AudioStreamBasicDescription, code: (@Sendable () -> Void)? = nil) throws {
        try unit.setClientFormat(format, .output)
        unsafe unit.setRenderCode { _, _, _, frames, list in
            guard let list = unsafe UnsafeMutableAudioBufferListPointer(list) else { return -1 }
            for frame in 0..<frames {
                for channel in 0..<Int(format.mChannelsPerFrame) {
                    unsafe store(Float(channel + 1) / 8, list, format, frame, channel)
                }
            }
            code?()
            return 0
        }
    }

    /// Plays another level on each channel of the device.
    func playOnEachChannel() throws {
        try play(.float(channels: 6, sampleRate: 48_000))
        try unit.setChannelMap([0, 1, 2, 3, 4, 5], .output)
        try unit.initialize()
        try unit.start()
    }

    /// Does the same, and records within the code of the output.
    func playOnEachChannel(andRecords format: AudioStreamBasicDescription, map: [Int]) throws {
        try unit.setEnabled(true, .input)
        try unit.setClientFormat(format, .input)
        try unit.setChannelMap(map, .input)
        try play(.float(channels: 6, sampleRate: 48_000)) { [weak self] in self?.render(480, format) }
        try unit.setChannelMap([0, 1, 2, 3, 4, 5], .output)
        try unit.setBufferFrames(480)
        try unit.initialize()
        try unit.start()
    }

    /// Records what is captured.
    func record(_ format: AudioStreamBasicDescription) throws {
        try unit.setEnabled(true, .input)
        try unit.setClientFormat(format, .input)
        unsafe unit.setInputCode { [weak self] _, _, _, frames, _ in
            self?.render(frames, format)
            return 0
        }
    }

    private func render(_ count: Int, _ format: AudioStreamBasicDescription) {
        let channels = Int(format.mChannelsPerFrame)
        let list = unsafe AudioBufferList.allocate(maximumBuffers: format.isInterleaved ? 1 : channels)
        defer { unsafe list.unsafeMutablePointer.deallocate() }
        guard unsafe (try? unit.render(bus: 1, frames: count, into: list)) != nil else { return }
        let made = (0..<count).map { frame in
            (0..<channels).map { unsafe load(list, format, frame, $0) }
        }
        frames.withLock { $0 += made }
    }
}

/// The memory of a channel's sample.
private func sample(
    _ list: UnsafeMutableAudioBufferListPointer, _ format: AudioStreamBasicDescription, _ frame: Int,
    _ channel: Int
) -> UnsafeMutableRawPointer? {
    let sampleBytes = Int(format.mBitsPerChannel / 8)
    let (buffer, index) =
        format.isInterleaved ? (0, frame * Int(format.mChannelsPerFrame) + channel) : (channel, frame)
    return unsafe list[buffer].mData.map { unsafe $0 + index * sampleBytes }
}

private func store(
    _ level: Float, _ list: UnsafeMutableAudioBufferListPointer, _ format: AudioStreamBasicDescription,
    _ frame: Int, _ channel: Int
) {
    guard let memory = unsafe sample(list, format, frame, channel) else { return }
    if format.isFloat { return unsafe memory.storeBytes(of: level, as: Float.self) }
    // The highest byte of a little-endian integer; the others are silent.
    let bytes = Int(format.mBitsPerChannel / 8)
    unsafe memory.storeBytes(of: Int8(level * 128), toByteOffset: bytes - 1, as: Int8.self)
}

private func load(
    _ list: UnsafeMutableAudioBufferListPointer, _ format: AudioStreamBasicDescription, _ frame: Int,
    _ channel: Int
) -> Float {
    guard let memory = unsafe sample(list, format, frame, channel) else { return .nan }
    if format.isFloat { return unsafe memory.loadUnaligned(as: Float.self) }
    return unsafe Float(memory.loadUnaligned(as: Int16.self)) / 32_768
}
