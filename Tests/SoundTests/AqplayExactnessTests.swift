// SPDX-License-Identifier: MIT

import AQCodecs
import AQExpectations
import AQFiles
import CoreAudioTypes
import AQSoundHarness
import AQTestTraits
import Testing

@Suite("aqplay is exact to the frame", .serialized, .besideOthers, .timeLimit(.minutes(5)))
struct AqplayExactnessTests {
    private let folder: ScratchFolder
    private let server: PulseServer

    init() throws {
        folder = ScratchFolder()
        server = try PulseServer()
    }

    /// The expected first frame of a part of the signal, anywhere in the recording.
    private func parts(_ runs: [TestSignal.Run]) -> [[Int]] { runs.map { [$0.position, $0.frames] } }

    @Test("float at the sink's rate arrives bit-exact and complete")
    func float() throws {
        let run = try AqplayRun([folder.writeSignal(frames: 61_003)], on: server)
        run.expectSuccess()
        expectEqual(parts(run.runs), [[0, 61_003]])
        expectEqual(run.played.soundFrames(), 61_003)
    }

    @Test("16-bit WAVE, AIFF and CAF arrive bit-exact and complete", arguments: ["wav", "aiff", "caf"])
    func integers(container: String) throws {
        let signal = TestSignal.make(sampleRate: 48000, frames: 40_009)
        let path =
            switch container {
            case "aiff": try folder.write(SignalFiles.aiff(signal), to: "signal.aiff")
            case "caf": try folder.write(SignalFiles.caf(signal), to: "signal.caf")
            default: try folder.writeSignal(frames: 40_009, as: .signed16)
            }
        let run = try AqplayRun([path], on: server)
        run.expectSuccess()
        expectEqual(parts(run.runs), [[0, 40_009]])
        expectEqual(run.played.soundFrames(), 40_009)
    }

    @Test("audio shorter than any buffer is played completely", arguments: [1, 77])
    func short(frames: Int) throws {
        let run = try AqplayRun([folder.writeSignal(frames: frames)], on: server)
        run.expectSuccess()
        expectEqual(parts(run.runs), [[0, frames]])
    }

    @Test("two files of one format follow each other without a gap")
    func gapless() throws {
        let first = try folder.writeSignal(frames: 30_001, name: "1.wav")
        let second = try folder.writeSignal(frames: 20_002, from: 30_001, name: "2.wav")
        let run = try AqplayRun([first, second], on: server)
        run.expectSuccess()
        expectEqual(parts(run.runs), [[0, 50_003]])
        expectEqual(run.played.soundFrames(), 50_003)
    }

    @Test("files of two formats are both played completely")
    func formatChange() throws {
        let first = try folder.writeSignal(frames: 20_001, name: "1.wav")
        let second = try folder.writeSignal(frames: 20_002, from: 20_001, as: .signed16, name: "2.wav")
        let run = try AqplayRun([first, second], on: server)
        run.expectSuccess()
        expectEqual(parts(run.runs), [[0, 20_001], [20_001, 20_002]])
    }

    @Test("--start and --end are exact to the frame")
    func span() throws {
        let path = try folder.writeSignal(frames: 100_000)
        let run = try AqplayRun(["--start=0.5", "--end=1.25", path], on: server)
        run.expectSuccess()
        expectEqual(parts(run.runs), [[24_000, 36_000]])
        expectEqual(run.played.soundFrames(), 36_000)
    }

    @Test("--loop=2 plays twice without a gap")
    func loop() throws {
        let run = try AqplayRun(["--loop=2", folder.writeSignal(frames: 30_011)], on: server)
        run.expectSuccess()
        let runs = run.runs
        expectEqual(parts(runs), [[0, 30_011], [0, 30_011]])
        expectEqual(run.played.soundFrames(), 60_022)
    }

    @Test("--volume=0.5 halves every sample")
    func volume() throws {
        var run = try AqplayRun(["--volume=0.5", folder.writeSignal(frames: 30_000)], on: server)
        run.expectSuccess()
        for index in run.played.samples.indices { run.played.samples[index] *= 2 }
        expectEqual(parts(run.runs), [[0, 30_000]])
    }

    @Test("a pipe is played completely")
    func pipe() throws {
        let run = try AqplayRun(pipedFrom: folder.writeSignal(frames: 48_017), on: server)
        run.expectSuccess()
        expectEqual(parts(run.runs), [[0, 48_017]])
        expectEqual(run.played.soundFrames(), 48_017)
    }
}

#if HAVE_MPEG_AUDIO
@Suite("aqplay plays MPEG audio exactly", .serialized, .besideOthers, .timeLimit(.minutes(5)))
struct AqplayMPEGTests {
    /// One step of 16 bits.
    private let step: Float = 1 / 32768

    private func makeServer(sampleRate: Int = 44100, channels: Int = 2) throws -> PulseServer {
        var options = PulseServer.Options()
        options.sampleRate = sampleRate
        options.channels = channels
        return try PulseServer(options)
    }

    @Test(
        "a file is played as it is decoded, without its padding",
        arguments: [("tune-cbr.mp3", 44100, 2), ("tune-vbr.mp3", 44100, 2), ("tune-mono.mp3", 22050, 1)])
    func whole(name: String, sampleRate: Int, channels: Int) throws {
        let path = ToolPaths.fixture(name)
        let reference = try decode(path)
        let run = try AqplayRun([path], on: makeServer(sampleRate: sampleRate, channels: channels))
        run.expectSuccess()
        try expectEqual(Int64(reference.frames), AudioFile.open(path: path).countFrames())
        try run.played.expectJust(reference, tolerance: step)
    }

    @Test("a start in the middle is exact to the frame, and the next file follows without a gap")
    func spans() throws {
        let paths = ["tune-vbr.mp3", "tune-cbr.mp3"].map(ToolPaths.fixture)
        let parts = try paths.map { try decode($0).slice(2 * 44100 + 441..<3 * 44100) }
        let run = try AqplayRun(["--start=2.01", "--end=3"] + paths, on: makeServer())
        run.expectSuccess()
        let reference = Recording(
            sampleRate: 44100, channels: 2, samples: parts[0].samples + parts[1].samples)
        try run.played.expectJust(reference, tolerance: step)
    }

    @Test("a pipe is played completely, without its padding")
    func pipe() throws {
        let path = ToolPaths.fixture("tune-vbr.mp3")
        let run = try AqplayRun(pipedFrom: path, on: makeServer())
        run.expectSuccess()
        try run.played.expectJust(decode(path), tolerance: step)
    }

    /// The audible frames of a file, by its reader and the decoder alone.
    private func decode(_ path: String) throws -> Recording {
        let file = try AudioFile.open(path: path)
        let decoder = try makePacketDecoder(for: file.format, magicCookie: file.magicCookie)
        let channels = Int(file.format.mChannelsPerFrame)
        var packet = [UInt8](repeating: 0, count: file.packetSizeUpperBound)
        var frames = [Float](repeating: 0, count: decoder.maximumFramesPerPacket * channels)
        var descriptions = [AudioStreamPacketDescription()]
        var samples: [Float] = []
        var packets: Int64 = 0
        while true {
            let read = try unsafe packet.withUnsafeMutableBytes { bytes in
                try unsafe descriptions.withUnsafeMutableBufferPointer { descriptions in
                    try unsafe file.readPackets(from: packets, into: bytes, descriptions: descriptions)
                }
            }
            if read.packets == 0 { break }
            packets += Int64(read.packets)
            let decoded = try unsafe packet.withUnsafeBytes { bytes in
                try unsafe frames.withUnsafeMutableBytes { output in
                    try unsafe decoder.decode(
                        UnsafeRawBufferPointer(rebasing: bytes[..<read.bytes]), into: output)
                }
            }
            samples += frames.prefix(decoded * channels)
        }
        let table = try #require(file.packetTable)
        let first = Int(table.primingFrames) * channels
        return Recording(
            sampleRate: Int(file.format.mSampleRate), channels: channels,
            samples: Array(samples[first..<first + Int(table.validFrames) * channels]))
    }
}
#endif
