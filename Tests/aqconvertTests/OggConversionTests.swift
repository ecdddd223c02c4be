// SPDX-License-Identifier: MIT

import AQCodecs
import AQExpectations
import AQFiles
import CoreAudioTypes
import Foundation
import Testing
import AQTestSupport
import AQToolSupport

@testable import aqconvert

@Suite("Conversions to Ogg")
struct OggConversionTests {
    private let conversions: ConversionTests
    private var folder: ScratchFolder { conversions.folder }

    init() throws { conversions = try ConversionTests() }

    @Test(
        "has the frames of the input, in their positions",
        arguments: [
            ("a.ogg", "vorbis", 44_100, 44_100), ("a.ogg", "opus", 48_000, 48_000),
            ("a.opus", "opus", 44_100, 48_000), ("a.opus", "opus@16000", 44_100, 16_000),
            ("a.ogg", "vorbis@22050", 44_100, 22_050), ("a.opus", "opus", 22_050, 24_000),
        ])
    func frames(name: String, data: String, rate: Int, stored: Int) throws {
        let samples = try conversions.writeWave("in.wav", frames: rate, rate: Double(rate))
        #expect(try folder.warnings("-d", data, "in.wav", name).isEmpty)
        let (read, file) = try conversions.read(name)
        expectEqual(file.format.mSampleRate, Double(stored))
        expectEqual(file.decodedCodec, (data.hasPrefix("opus") ? "Opus" : "Vorbis"))
        #expect(file.frameCount == Int64(stored) && read.count == 2 * stored)
        guard rate == stored else { return }
        func distance(_ shift: Int) -> Double {
            let pairs = zip(read.dropFirst(2 * max(shift, 0)), samples.dropFirst(2 * max(-shift, 0)))
            return pairs.reduce(0) { $0 + abs(Double($1.0) - Double($1.1)) } / Double(samples.count)
        }
        // A filter of Opus shifts the phase of low frequencies by up to two frames.
        #expect(distance(0) < 400)
        for shift in [-4, -3, 3, 4] { #expect(distance(shift) > distance(0)) }
    }

    @Test("keeps tags and the picture", arguments: ["a.ogg", "a.opus"])
    func metadata(name: String) throws {
        let tags = [AudioFileInformation("title", "Größe"), AudioFileInformation("own key", "x")]
        let picture = AudioFileArtwork(
            bytes: [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 5, count: 90_000))
        let writer = try AudioFileWriter.create(
            path: folder.file("in.flac"), type: .flac,
            format: .signedInteger(bits: 16, channels: 2, sampleRate: 48_000))
        try writer.setInformation(tags)
        try writer.setArtwork(picture)
        try unsafe [UInt8](repeating: 0, count: 40_000).withUnsafeBytes { try unsafe writer.append($0) }
        try writer.close()
        #expect(try folder.warnings("in.flac", name).isEmpty)
        let file = try AudioFile.open(path: folder.file(name))
        expectEqual(file.information.sorted { $0.key < $1.key }, tags.sorted { $0.key < $1.key })
        expectEqual(file.artwork, picture)
        expectEqual(file.frameCount, 10_000)
    }

    @Test("reorders the channels of 5.1", arguments: ["a.ogg", "a.opus"])
    func channelOrder(name: String) throws {
        // The order of AAC: the centre comes first.
        let labels = [
            kAudioChannelLabel_Center, kAudioChannelLabel_Left, kAudioChannelLabel_Right,
            kAudioChannelLabel_LeftSurround, kAudioChannelLabel_RightSurround, kAudioChannelLabel_LFEScreen,
        ]
        // Only the right surround has audio.
        var samples = [Int16](repeating: 0, count: 6 * 20_000)
        for frame in 0..<20_000 { samples[6 * frame + 4] = Int16(9000 * sin(Double(frame) * 0.05)) }
        try conversions.write("in.wav", samples, labels: labels, type: .caf)
        #expect(try folder.warnings("in.wav", name).isEmpty)
        let (read, file) = try conversions.read(name)
        var power = [Double](repeating: 0, count: 6)
        for (index, sample) in read.enumerated() { power[index % 6] += Double(sample) * Double(sample) }
        let loudest = try #require(power.indices.max { power[$0] < power[$1] })
        expectEqual(file.channelLabels[loudest], kAudioChannelLabel_RightSurround, "\(power)")
        #expect(power.enumerated().allSatisfy { $0 == loudest || $1 < power[loudest] / 100 }, "\(power)")
    }

    @Test("is converted to WAVE in the order of its channel mask", arguments: ["a.ogg", "a.opus"])
    func waveOrder(name: String) throws {
        // Only the centre, the third channel, has audio.
        var samples = [Int16](repeating: 0, count: 6 * 20_000)
        for frame in 0..<20_000 { samples[6 * frame + 2] = Int16(9000 * sin(Double(frame) * 0.05)) }
        try conversions.write("in.wav", samples, labels: ChannelLabels.defaults(channels: 6))
        _ = try folder.warnings("in.wav", name)
        try expectEqual(AudioFile.open(path: folder.file(name)).channelLabels[1], kAudioChannelLabel_Center)
        #expect(try folder.warnings(name, "out.wav").isEmpty)
        let (read, file) = try conversions.read("out.wav")
        expectEqual(file.channelLabels, ChannelLabels.defaults(channels: 6))
        var power = [Double](repeating: 0, count: 6)
        for (index, sample) in read.enumerated() { power[index % 6] += Double(sample) * Double(sample) }
        expectEqual(power.indices.max { power[$0] < power[$1] }, 2, "\(power)")
    }

    @Test("takes the bit rate that is requested", arguments: ["a.ogg", "a.opus"])
    func bitRate(name: String) throws {
        var random = SplitMix(1)
        let noise = (0..<2 * 100_000).map { _ in Int16(6000 * random.noise()) }
        try conversions.write("in.wav", noise, labels: ChannelLabels.defaults(channels: 2))
        var sizes: [Int64] = []
        for bitRate in ["48", "128"] {
            _ = try folder.warnings("-y", "-b", bitRate, "in.wav", name)
            let file = try AudioFile.open(path: folder.file(name))
            sizes.append(Int64(file.averageBitRate))
        }
        #expect(sizes[0] < 72_000 && sizes[1] > sizes[0], "\(sizes)")
    }
}
