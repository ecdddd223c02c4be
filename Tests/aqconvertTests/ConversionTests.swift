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

extension ScratchFolder {
    /// The warnings of a conversion.
    ///
    /// - Parameter arguments: Options, and the names of a file and of its output, in this folder.
    func warnings(_ arguments: String...) throws -> [String] { try warnings(arguments) }

    func warnings(_ arguments: [String]) throws -> [String] {
        let paths = arguments.suffix(2).map(file)
        guard case .convert(let options) = try ConvertOptions.parse(arguments.dropLast(2) + paths) else {
            throw UsageError("nothing to convert")
        }
        let target = try #require(try Converting.targets(options).first)
        return try Conversion(
            input: target.input, output: target.output, type: target.type, options: options,
            isCancelled: { false }
        ).run().warnings
    }
}

@Suite("Converting files")
struct ConversionTests {
    let folder: ScratchFolder

    init() throws { folder = ScratchFolder() }

    /// A tone that never repeats within a few frames.
    static func samples(_ frames: Int, channels: Int) -> [Int16] {
        (0..<frames * channels).map { index in
            let (frame, channel) = (index / channels, index % channels)
            let phase =
                Double(frame) * (0.02 + 0.003 * Double(channel)) + Double(frame) * Double(frame) * 1e-7
            return Int16(12_000 * sin(phase))
        }
    }

    func writeWave(
        _ name: String, frames: Int = 44_100, channels: Int = 2, rate: Double = 44_100
    ) throws -> [Int16] {
        let samples = Self.samples(frames, channels: channels)
        let writer = try AudioFileWriter.create(
            path: folder.file(name), type: .wave,
            format: .signedInteger(bits: 16, channels: channels, sampleRate: rate))
        try unsafe samples.withUnsafeBytes { try unsafe writer.append($0) }
        try writer.close()
        return samples
    }

    func write(
        _ name: String, _ samples: [Int16], labels: [AudioChannelLabel], type: AudioFileType = .wave
    ) throws {
        let writer = try AudioFileWriter.create(
            path: folder.file(name), type: type,
            format: .signedInteger(bits: 16, channels: labels.count, sampleRate: 44_100),
            channelLabels: labels)
        try unsafe samples.withUnsafeBytes { try unsafe writer.append($0) }
        try writer.close()
    }

    /// All frames of a file, as 16-bit integers.
    func read(_ name: String) throws -> (samples: [Int16], file: AudioFile) {
        let file = try AudioFile.open(path: folder.file(name))
        let format = AudioStreamBasicDescription.signedInteger(
            bits: 16, channels: Int(file.format.mChannelsPerFrame), sampleRate: file.format.mSampleRate)
        let converter = try AudioConverter(from: file.format, to: format, magicCookie: file.magicCookie)
        if let table = file.packetTable {
            converter.inputTrim = FrameTrim(priming: table.primingFrames, valid: table.validFrames)
        }
        let supply = PacketSupply(file, from: 0, isCancelled: { false })
        let block = OutputBlock(converter, inputName: "a test")
        var samples: [Int16] = []
        while true {
            let filled = try block.fill(from: converter, supply)
            unsafe block.bytes(filled).withMemoryRebound(to: Int16.self) {
                unsafe samples.append(contentsOf: $0)
            }
            if filled.isEnd { return (samples, file) }
        }
    }

    func convert(_ arguments: String...) -> Int32 {
        ConvertTool.run(
            arguments.map {
                $0.contains(".") && Double($0) == nil && !$0.hasPrefix("-") && !$0.hasPrefix("/")
                    ? folder.file($0) : $0
            }
        ).rawValue
    }

    @Test(
        "lossless conversions keep every sample", arguments: ["aiff", "caf", "w64", "flac", "rf64", "aifc"])
    func lossless(kind: String) throws {
        let samples = try writeWave("in.wav")
        expectEqual(convert("in.wav", "out.\(kind)"), 0)
        try expectEqual(read("out.\(kind)").samples, samples)
        expectEqual(convert("out.\(kind)", "back.wav"), 0)
        try expectEqual(read("back.wav").samples, samples)
    }

    @Test("G.711 has all frames, and needs no warning", arguments: ["wav", "aifc", "w64", "rf64", "caf"])
    func law(kind: String) throws {
        let samples = try writeWave("in.wav")
        for (name, id) in [("ulaw", kAudioFormatULaw), ("alaw", kAudioFormatALaw)] {
            try expectEqual(folder.warnings("--data", name, "in.wav", "\(name).\(kind)"), [])
            let (decoded, file) = try read("\(name).\(kind)")
            #expect(file.format.mFormatID == id && decoded.count == samples.count)
        }
    }

    @Test("each channel keeps its role in a file type with a fixed order")
    func fixedOrder() throws {
        // Each channel has its own tone, so that the order is visible.
        let samples = Self.samples(5000, channels: 6)
        let labels = try #require(ChannelLayoutTags.labels(of: kAudioChannelLayoutTag_MPEG_5_1_C))
        try write("in.caf", samples, labels: labels, type: .caf)
        try expectEqual(folder.warnings("in.caf", "out.flac"), [])
        let (stored, file) = try read("out.flac")
        let order = ChannelLabels.defaults(channels: 6)
        expectEqual(file.channelLabels, order)
        let source = try order.map { label in try #require(labels.firstIndex(of: label)) }
        let expected = samples.indices.map { index -> Int16 in
            let channel = index % 6
            return samples[index - channel + source[channel]]
        }
        expectEqual(stored, expected)
        try expectEqual(folder.warnings("--data", "F32", "in.caf", "out.w64"), [])
        for name in ["out.flac", "out.w64"] {
            expectEqual(convert("-y", "--data", "I16", "--dither", "none", name, "back.caf"), 0)
            try expectEqual(read("back.caf").file.channelLabels, order)
            try expectEqual(read("back.caf").samples, expected)
        }
    }

    @Test("a fractional rate is rounded if the output supports only whole ones")
    func brokenRate() throws {
        let writer = try AudioFileWriter.create(
            path: folder.file("in.aiff"), type: .aiff,
            format: .signedInteger(bits: 16, isBigEndian: true, channels: 1, sampleRate: 22_050.5))
        try unsafe [UInt8](repeating: 7, count: 2000).withUnsafeBytes { try unsafe writer.append($0) }
        try writer.close()
        expectEqual(convert("in.aiff", "out.caf"), 0)
        try expectEqual(read("out.caf").file.format.mSampleRate, 22_050.5)
        for output in ["out.wav", "out.flac"] {
            expectEqual(convert("in.aiff", output), 0)
            try expectEqual(read(output).file.format.mSampleRate, 22_051)
        }
    }

    #if HAVE_AV_CODECS
    @Test("ALAC keeps every sample and every frame", arguments: ["m4a", "caf"])
    func appleLossless(kind: String) throws {
        let samples = try writeWave("in.wav", frames: 10_001)
        expectEqual(convert("-d", "alac", "in.wav", "out.\(kind)"), 0)
        let (decoded, file) = try read("out.\(kind)")
        expectEqual(decoded, samples)
        expectEqual(file.format.mFormatID, kAudioFormatAppleLossless)
    }

    @Test(
        "the channel order of ALAC is in its packets, and each channel keeps its role",
        arguments: ["m4a", "caf"])
    func channelOrder(kind: String) throws {
        // Audio only in the centre, which is the third channel here and the first in the packets.
        var samples = Self.samples(5000, channels: 6)
        for index in samples.indices where index % 6 != 2 { samples[index] = 0 }
        let labels = try #require(ChannelLayoutTags.labels(of: kAudioChannelLayoutTag_MPEG_5_1_A))
        try write("in.wav", samples, labels: labels)
        expectEqual(convert("-d", "alac", "in.wav", "packets.\(kind)"), 0)
        let stored = try AudioFile.open(path: folder.file("packets.\(kind)")).channelLabels
        expectEqual(stored, ChannelLayoutTags.labels(of: kAudioChannelLayoutTag_MPEG_5_1_D))
        expectEqual(convert("-d", "I16", "packets.\(kind)", "out.caf"), 0)
        let decoded = try read("out.caf")
        expectEqual(decoded.samples, samples)
        expectEqual(decoded.file.channelLabels, labels)
        expectEqual(convert("-d", "I16", "-c", "2", "--dither", "none", "packets.\(kind)", "stereo.wav"), 0)
        let stereo = try read("stereo.wav").samples
        #expect(stereo.contains { $0 != 0 })
        #expect(stride(from: 0, to: stereo.count, by: 2).allSatisfy { stereo[$0] == stereo[$0 + 1] })
    }

    @Test("7.1 stays 7.1 through AAC")
    func sevenOne() throws {
        let labels = ChannelLabels.defaults(channels: 8)
        try write("in.wav", Self.samples(5000, channels: 8), labels: labels)
        expectEqual(convert("in.wav", "packets.m4a"), 0)
        let stored = try AudioFile.open(path: folder.file("packets.m4a")).channelLabels
        expectEqual(stored, ChannelLayoutTags.labels(of: kAudioChannelLayoutTag_AAC_7_1_B))
        expectEqual(convert("packets.m4a", "out.wav"), 0)
        try expectEqual(AudioFile.open(path: folder.file("out.wav")).channelLabels, labels)
        let header = Data(folder.bytes(of: "out.wav").prefix(100))
        #expect(header.range(of: Data([16, 0, 0x3F, 6, 0, 0])) != nil)
    }

    @Test("AAC is as long as the source, and similar", arguments: ["m4a", "caf"])
    func advancedAudioCoding(kind: String) throws {
        let samples = try writeWave("in.wav", frames: 50_000)
        expectEqual(convert("-d", "aac", "-b", "192", "in.wav", "out.\(kind)"), 0)
        let (decoded, file) = try read("out.\(kind)")
        expectEqual(file.frameCount, 50_000)
        try #require(decoded.count == samples.count)
        let (noise, signal) = zip(decoded, samples).reduce((0.0, 0.0)) { sums, pair in
            let error = Double(pair.0) - Double(pair.1)
            return (sums.0 + error * error, sums.1 + Double(pair.1) * Double(pair.1))
        }
        #expect(10 * log10(signal / noise) > 20)
    }

    @Test("packets are copied where the new container holds them")
    func copies() throws {
        _ = try writeWave("in.wav", frames: 20_000)
        expectEqual(convert("-d", "aac", "in.wav", "a.m4a"), 0)
        expectEqual(convert("a.m4a", "b.caf"), 0)
        expectEqual(convert("b.caf", "c.m4a"), 0)
        let (first, last) = (try read("a.m4a"), try read("c.m4a"))
        expectEqual(first.samples, last.samples)
        expectEqual(last.file.frameCount, 20_000)
        try expectEqual(first.file.countPackets(), last.file.countPackets())
    }
    #endif

    @Test("a part of a file is cut to the frame")
    func range() throws {
        let samples = try writeWave("in.wav")
        expectEqual(convert("--start", "0.25", "--end", "0.5", "in.wav", "out.aiff"), 0)
        try expectEqual(read("out.aiff").samples, Array(samples[11_025 * 2..<22_050 * 2]))
    }

    @Test("of PCM, too, only the frames within the file's trims are converted", arguments: [50, 0], [51, 0])
    func packetTable(priming: Int, remainder: Int) throws {
        let samples = Self.samples(1001, channels: 1)
        let valid = 1001 - priming - remainder
        func chunk(_ code: String, _ contents: [UInt8]) -> [UInt8] {
            Array(code.utf8) + big(Int64(contents.count)) + contents
        }
        let fields: [UInt32] = [0, 2, 1, 1, 16]
        let format: [UInt8] =
            big((44_100 as Double).bitPattern) + Array("lpcm".utf8) + fields.flatMap { big($0) }
        let table =
            big(Int64(0)) + big(Int64(valid)) + big(Int32(priming))
            + big(Int32(remainder))
        let start = Array("caff".utf8) + [0, 1, 0, 0]
        let sound: [UInt8] = [0, 0, 0, 0] + samples.flatMap { big($0) }
        try folder.write(
            start + chunk("desc", format) + chunk("pakt", table) + chunk("data", sound), to: "in.caf")
        let wanted = Array(samples[priming..<priming + valid])
        for kind in ["wav", "caf", "flac"] {
            expectEqual(convert("in.caf", "out.\(kind)"), 0)
            try expectEqual(read("out.\(kind)").samples, wanted)
        }
        expectEqual(convert("-y", "--start=0.01", "in.caf", "out.wav"), 0)
        try expectEqual(read("out.wav").samples, Array(wanted[441...]))
    }

    @Test("rates and channels change, and lengths with them")
    func rates() throws {
        _ = try writeWave("in.wav")
        expectEqual(convert("-d", "F32@48000", "-c", "1", "in.wav", "out.caf"), 0)
        let file = try AudioFile.open(path: folder.file("out.caf"))
        expectEqual(file.frameCount, 48_000)
        expectEqual(file.format.mChannelsPerFrame, 1)
        #expect(file.format.isFloat)
    }

    @Test("several files are converted into a folder, and a failing one does not stop the others")
    func several() throws {
        for name in ["a.wav", "b.wav", "c.wav"] { _ = try writeWave(name, frames: 1000) }
        try folder.write(Array("no sound".utf8), to: "bad.wav")
        expectEqual(
            convert("-f", "aiff", "-O", folder.path, "a.wav", "bad.wav", "b.wav", "c.wav"), 1)
        expectEqual(
            folder.names, ["a.aiff", "a.wav", "b.aiff", "b.wav", "bad.wav", "c.aiff", "c.wav"])
    }

    @Test("an existing file is kept unless overwriting is requested, and complete in both cases")
    func existing() throws {
        let samples = try writeWave("in.wav", frames: 1000)
        _ = try writeWave("out.wav", frames: 10)
        expectEqual(convert("in.wav", "out.wav"), 74)
        try expectEqual(read("out.wav").samples.count, 20)
        expectEqual(convert("-y", "in.wav", "out.wav"), 0)
        try expectEqual(read("out.wav").samples, samples)
        // Even the same file.
        expectEqual(convert("-y", "-d", "I24", "in.wav", "in.wav"), 0)
        try expectEqual(read("in.wav").file.format.mBitsPerChannel, 24)
    }

    @Test("a failure leaves no file")
    func failure() throws {
        _ = try writeWave("in.wav", frames: 1000)
        expectEqual(convert("-d", "aac", "in.wav", "out.wav"), 64)
        expectEqual(convert("in.wav", "nowhere/out.aiff"), 74)
        expectEqual(convert("missing.wav", "out.aiff"), 1)
        expectEqual(folder.names, ["in.wav"])
    }

    @Test("an interrupted conversion ends between blocks and leaves no file")
    func cancelled() throws {
        _ = try writeWave("in.wav", frames: 500_000)
        guard
            case .convert(let options) = try ConvertOptions.parse([
                folder.file("in.wav"), folder.file("out.caf"),
            ])
        else { return }
        let conversion = Conversion(
            input: FilePath(folder.file("in.wav")), output: FilePath(folder.file("out.caf")), type: .caf,
            options: options,
            isCancelled: { true })
        do throws(ToolFailure) {
            _ = try conversion.run()
            Issue.record("it went on")
        } catch {
            expectEqual(error, .interrupted)
        }
        expectEqual(folder.names, ["in.wav"])
    }

    @Test("two inputs of one name are reported before anything is written")
    func sameName() throws {
        _ = try writeWave("in.wav", frames: 10)
        expectEqual(convert("-f", "caf", "-O", folder.path, "in.wav", "in.wav"), 64)
        expectEqual(folder.names, ["in.wav"])
    }
}
