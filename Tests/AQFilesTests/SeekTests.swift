// SPDX-License-Identifier: MIT

#if HAVE_MPEG_AUDIO
import AQExpectations
import AQFiles
import CoreAudioTypes
import AQMPEGAudio
import Testing
import AQTestSupport

@Suite("Seeking in MPEG files")
struct SeekTests {
    /// Decodes from a packet on, until `frames` frames or the end of the file.
    private func decode(
        _ file: AudioFile, from first: Int64 = 0, frames wanted: Int64 = .max
    ) throws -> [Float] {
        let channels = Int(file.format.mChannelsPerFrame)
        let decoder = try MPEGDecoder(
            sampleRate: Int(file.format.mSampleRate), channels: channels,
            samplesPerFrame: Int(file.format.mFramesPerPacket))
        var packet = [UInt8](repeating: 0, count: file.packetSizeUpperBound)
        var place = [AudioStreamPacketDescription()]
        var output = [Float](repeating: 0, count: decoder.maximumFramesPerPacket * channels)
        var samples: [Float] = []
        var next = first
        while Int64(samples.count / channels) < wanted {
            let read = try unsafe packet.withUnsafeMutableBytes { packet in
                try unsafe place.withUnsafeMutableBufferPointer { place in
                    try unsafe file.readPackets(from: next, into: packet, descriptions: place)
                }
            }
            guard read.packets == 1 else { break }
            let frames = try unsafe packet.withUnsafeBytes { packet in
                try unsafe output.withUnsafeMutableBufferPointer { output in
                    try unsafe decoder.decode(
                        UnsafeRawBufferPointer(rebasing: packet[..<read.bytes]), into: output)
                }
            }
            samples += output.prefix(frames * channels)
            next += 1
        }
        return samples
    }

    @Test(
        "returns from any frame on the samples of a decode from the start",
        arguments: ["tune-cbr.mp3", "tune-vbr.mp3", "tune-mono.mp3"])
    func bitExact(name: String) throws {
        let file = try AudioFile.open(path: ToolPaths.fixture(name))
        let channels = Int64(file.format.mChannelsPerFrame)
        let table = try #require(file.packetTable)
        let whole = try decode(file)
        expectEqual(
            Int64(whole.count) / channels, table.primingFrames + table.validFrames + table.remainderFrames)
        var frames: [Int64] = [0, 1, table.validFrames - 1]
        for _ in 0..<40 { frames.append(Int64.random(in: 0..<table.validFrames)) }
        for frame in frames {
            // A separate file, so no earlier read has built the index.
            let fresh = try AudioFile.open(path: ToolPaths.fixture(name))
            let point = try fresh.seekPoint(forFrame: frame)
            let length = min(table.validFrames - frame, 2000)
            let found = try decode(fresh, from: point.packet, frames: point.framesToDiscard + length)
            let got = found.dropFirst(Int(point.framesToDiscard * channels)).prefix(Int(length * channels))
            let expected = whole.dropFirst(Int((table.primingFrames + frame) * channels))
                .prefix(Int(length * channels))
            let difference = zip(got, expected).enumerated().first { $0.element.0 != $0.element.1 }
            expectEqual(got.count, expected.count, "frame \(frame)")
            #expect(difference == nil, "frame \(frame) of \(name)")
        }
    }
}
#endif
