import AudioCodecs
import AudioFiles
import CoreAudioTypes
import Foundation
import SoundHarness
import Testing

/// What `aqrecord` encodes of a monitor on which a known signal is played.
@Suite(
    "aqrecord encodes exactly", .serialized, .needsSoundServer, .timeLimit(.minutes(3)),
    .enabled(if: CodecAvailability.encoder(of: kAudioFormatAppleLossless).isAvailable))
struct RecordingPacketsTests {
    /// The sound of a file of Apple Lossless, as its packet table has it.
    private func sound(of path: String) throws -> Recording {
        let file = try AudioFile.open(path: path)
        let decoder = try makePacketDecoder(for: file.format, magicCookie: file.magicCookie)
        let channels = Int(file.format.mChannelsPerFrame)
        try #require(decoder.outputFormat.mBitsPerChannel == 16)
        var packet = [UInt8](repeating: 0, count: file.packetSizeUpperBound)
        var descriptions = [AudioStreamPacketDescription](repeating: .init(), count: 1)
        var decoded = [Int16](repeating: 0, count: decoder.maximumFramesPerPacket * channels)
        var samples: [Float] = []
        for number in 0..<(try file.countPackets()) {
            let read = try unsafe packet.withUnsafeMutableBytes { bytes in
                try unsafe descriptions.withUnsafeMutableBufferPointer {
                    try unsafe file.readPackets(from: number, into: bytes, descriptions: $0)
                }
            }
            let size = Int(descriptions[0].mDataByteSize)
            try #require(read.packets >= 1)
            let frames = try unsafe packet.prefix(size).withUnsafeBytes { bytes in
                try unsafe decoded.withUnsafeMutableBytes { try unsafe decoder.decode(bytes, into: $0) }
            }
            samples += decoded.prefix(frames * channels).map { Float($0) / 32_768 }
        }
        let table = try #require(file.packetTable)
        let (start, end) = (table.primingFrames, table.primingFrames + table.validFrames)
        return Recording(
            sampleRate: Int(file.format.mSampleRate), channels: channels,
            samples: Array(samples[Int(start) * channels..<Int(end) * channels]))
    }

    @Test("--seconds is exact to the frame, and Apple Lossless bit-exact, in CAF and MPEG-4")
    func lossless() throws {
        var options = PulseServer.Options()
        // PipeWire's graph has its own rate, and would convert.
        options.sampleRate = try SoundServerKind.chosen() == .pulseAudio ? 44_100 : 48_000
        let server = try PulseServer(options)
        let folder = try TestFolder()
        let player = try server.playSignal(0..<9 * options.sampleRate)
        let capture = try MonitorCapture(server)
        try #require(capture.waitForSound(upToSeconds: 10))
        capture.stop(deadlineSeconds: 0)
        let recorders = try ["caf", "m4a"].map { container in
            let path = "\(folder.path)/a.\(container)"
            let recorder = try ChildProcess(
                ToolPaths.tool("aqrecord"),
                ["--monitor=test", "--seconds=1", "--codec=alac", "--\(container)=\(path)"],
                environment: server.environment)
            return (path: path, process: recorder)
        }
        for (path, process) in recorders {
            let result = process.wait(deadlineSeconds: 15)
            #expect(result.exitStatus == 0, "\(path): \(result.standardError)")
            #expect(result.standardError == "", "\(path)")
            let recording = try sound(of: path)
            #expect(recording.sampleRate == options.sampleRate, "\(path)")
            #expect(recording.frames == options.sampleRate, "\(path)")
            let run = TestSignal.runs(in: recording).max { $0.frames < $1.frames }
            let (start, length) = (run?.startFrame ?? 0, run?.frames ?? 0)
            #expect(start <= SoundServerTraits.chosen.silentFramesAtStart, "\(path)")
            #expect(start + length == recording.frames, "\(path): \(String(describing: run))")
        }
        player.signal(SIGTERM)
    }
}
