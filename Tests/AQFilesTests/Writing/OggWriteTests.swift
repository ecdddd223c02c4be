// SPDX-License-Identifier: MIT

import AQExpectations
import CoreAudioTypes
import Glibc
import Testing
import AQTestSupport

@testable import AQFiles

@Suite("Writing Ogg files")
struct OggWriteTests {
    struct Layout: Sendable, CustomTestStringConvertible {
        var type: AudioFileType
        var rate: Double
        var channels: Int
        var testDescription: String { "\(type.name), \(rate) Hz, \(channels) channels" }

        static let all = [1, 2, 6].flatMap { channels in
            [8000.0, 11_025, 44_100, 96_000].map { Layout(type: .oggVorbis, rate: $0, channels: channels) }
                + [8000.0, 12_000, 16_000, 24_000, 48_000].map {
                    Layout(type: .oggOpus, rate: $0, channels: channels)
                }
        }
    }

    @Test("returns every frame in its position, and every channel under its label", arguments: Layout.all)
    func positions(layout: Layout) throws {
        let folder = ScratchFolder()
        let path = folder.file("new")
        let frames = 20_011
        let format = try layout.type.pcmFormat(
            sampleRate: layout.rate, channels: layout.channels, bits: 32, isFloat: true)
        let tones = Tones(sampleRate: layout.rate, channels: layout.channels, frames: frames)
        let writer = try AudioFileWriter.create(path: path, type: layout.type, format: format)
        try writer.write(tones.bytes(bits: 32, isFloat: true))
        expectEqual(writer.frameCount, Int64(frames))
        expectEqual(writer.byteCount, Int64(bytes(ofFile: path).count))

        let file = try AudioFile.open(path: path)
        expectEqual(file.containerName, "Ogg")
        expectEqual(file.decodedCodec, (layout.type == .oggOpus ? "Opus" : "Vorbis"))
        expectEqual(file.frameCount, Int64(frames))
        expectEqual(file.format.mSampleRate, layout.rate)
        let samples = try floats(of: file)
        expectEqual(samples.count, frames * layout.channels)
        #expect(file.warnings.isEmpty)
        let usual = ChannelLabels.defaults(channels: layout.channels)
        expectEqual(Set(file.channelLabels), Set(usual))
        for (channel, label) in file.channelLabels.enumerated() {
            // The encoders remove all but bass from the LFE channel.
            guard label != kAudioChannelLabel_LFEScreen else { continue }
            let source = try #require(usual.firstIndex(of: label))
            let wanted = one(tones.samples, source, of: layout.channels)
            let got = one(samples, channel, of: layout.channels)
            let inPlace = signalToNoise(wanted, got)
            #expect(inPlace > 15, "channel \(channel)")
            // A filter of Opus shifts the phase of low frequencies by up to two frames.
            for shift in layout.type == .oggOpus ? 3...5 : 1...3 {
                #expect(inPlace > signalToNoise(wanted, Array(got.dropFirst(shift))))
                #expect(inPlace > signalToNoise(Array(wanted.dropFirst(shift)), got))
            }
        }
    }

    @Test("is read from any position as from the start", arguments: Encoders.ogg)
    func seeking(type: AudioFileType) throws {
        let folder = ScratchFolder()
        let path = folder.file("new")
        let format = try type.pcmFormat(
            sampleRate: type.encodedRate, channels: 2, bits: 16, isFloat: false)
        try AudioFileWriter.create(path: path, type: type, format: format).write(
            Tones(sampleRate: type.encodedRate, channels: 2, frames: 60_000).bytes(bits: 16, isFloat: false))
        let whole = try Contents(of: AudioFile.open(path: path)).bytes
        for frame in [1, 11_999, 12_000, 30_001, 59_000, 59_999] {
            let file = try AudioFile.open(path: path)
            let part = try Contents(of: file, from: Int64(frame)).bytes
            expectEqual(part.count, whole.count - frame * 8, "\(frame)")
            // A decoder that starts elsewhere needs 80 ms to reproduce Opus (RFC 7845, 4.2).
            let skipped = type == .oggOpus ? 4000 * 8 : 0
            guard type == .oggVorbis else {
                #expect(
                    largestDifference(part.dropFirst(skipped), whole.dropFirst(frame * 8 + skipped)) < 0.01)
                continue
            }
            expectEqual(part[...], whole.dropFirst(frame * 8), "\(frame)")
        }
    }

    @Test("has about the requested bit rate", arguments: Encoders.ogg, [32_000, 64_000, 128_000, 256_000])
    func bitRates(type: AudioFileType, bitRate: Int) throws {
        let folder = ScratchFolder()
        let path = folder.file("new")
        // Vorbis has other bit rates at each sample rate.
        let rate = bitRate == 32_000 ? 16_000 : type.encodedRate
        let format = try type.pcmFormat(sampleRate: rate, channels: 2, bits: 16, isFloat: false)
        let writer = try AudioFileWriter.create(path: path, type: type, format: format, bitRate: bitRate)
        try writer.write(noise(count: 4 * 200_000))
        let actual = Double(writer.byteCount * 8) / (200_000 / rate)
        #expect(0.7...2 ~= actual / Double(bitRate), "\(actual)")
    }

    @Test(
        "has pages of a quarter of a second at most, and headers in pages of their own",
        arguments: Encoders.ogg)
    func pages(type: AudioFileType) throws {
        let folder = ScratchFolder()
        let path = folder.file("new")
        let format = try type.pcmFormat(
            sampleRate: type.encodedRate, channels: 2, bits: 16, isFloat: false)
        let writer = try AudioFileWriter.create(path: path, type: type, format: format)
        // Longer than a page, and in the end exactly a number of full segments.
        let filler = String(repeating: "x", count: 255 * 300)
        try writer.setInformation([AudioFileInformation("comments", filler)])
        try writer.write([UInt8](repeating: 0, count: 4 * 100_000))
        var pages: [OggPage] = []
        let all = bytes(ofFile: path)
        var offset = 0
        while offset < all.count {
            let page = try #require(OggPage(all[offset...]))
            #expect(OggPage.hasRightChecksum(all[offset..<offset + page.byteCount]))
            // The number, and the mark of a continued packet.
            #expect(all[offset + 18] == UInt8(pages.count) && all[offset + 19] == 0)
            expectEqual((all[offset + 5] & 1 != 0), (pages.count == 2), "page \(pages.count)")
            pages.append(page)
            offset += page.byteCount
        }
        expectEqual(pages.map(\.isFirst), [true] + [Bool](repeating: false, count: pages.count - 1))
        expectEqual(pages.map(\.isLast), [Bool](repeating: false, count: pages.count - 1) + [true])
        expectEqual(Set(pages.map(\.serial)).count, 1)
        // No packet ends in the page that the tags fill.
        expectEqual(pages.prefix(3).map(\.granulePosition), [0, nil, 0])
        let positions = pages.dropFirst(3).compactMap(\.granulePosition)
        expectEqual(positions.count, pages.count - 3)
        expectEqual(positions.first.map { 0 < $0 && $0 < 3000 }, true)
        for (earlier, later) in zip(positions, positions.dropFirst()) {
            #expect(later > earlier && Double(later - earlier) <= type.encodedRate / 4 + 2048)
        }
    }

    @Test(
        "packets of every length end where they end",
        arguments: [0, 1, 254, 255, 256, 510, 65_024, 65_025, 65_026, 200_000])
    func lacing(byteCount: Int) throws {
        var builder = OggPageBuilder(serial: 7)
        let packets = [noise(count: byteCount), noise(count: 3), noise(count: byteCount)]
        for (number, packet) in packets.enumerated() {
            builder.add(OggPacket(bytes: packet, endPosition: Int64(number)))
        }
        builder.endPage(isLast: true)
        var found: [[UInt8]] = []
        var rest: [UInt8] = []
        for page in builder.takePages() {
            let header = try #require(OggPage(page.bytes[...]))
            #expect(OggPage.hasRightChecksum(page.bytes[...]))
            expectEqual((page.bytes[5] & 1 != 0), !rest.isEmpty)
            expectEqual(header.granulePosition, page.endPosition)
            var start = header.headerByteCount
            for length in page.bytes[27..<header.headerByteCount] {
                rest += page.bytes[start..<start + Int(length)]
                start += Int(length)
                if length < 255 {
                    found.append(rest)
                    rest = []
                }
            }
        }
        expectEqual(found, packets)
    }

    @Test("accepts floating-point samples that are NaN or infinite", arguments: Encoders.ogg)
    func noNumbers(type: AudioFileType) throws {
        let folder = ScratchFolder()
        let path = folder.file("new")
        let format = try type.pcmFormat(sampleRate: type.encodedRate, channels: 1, bits: 32, isFloat: true)
        var samples = Tones(sampleRate: type.encodedRate, channels: 1, frames: 20_000).samples
        for (place, value) in [(5000, Float.nan), (6000, .infinity), (7000, -.infinity), (8000, 1e38)] {
            samples[place] = value
        }
        let data = samples.flatMap { sample in unsafe withUnsafeBytes(of: sample) { unsafe Array($0) } }
        try AudioFileWriter.create(path: path, type: type, format: format).write(data)
        let decoded = try floats(of: AudioFile.open(path: path))
        expectEqual(decoded.count, 20_000)
        #expect(decoded.allSatisfy { $0.isFinite && abs($0) < 64 })
    }

    @Test("refuses tags and pictures that readers do not accept", arguments: Encoders.ogg)
    func hugePicture(type: AudioFileType) throws {
        let folder = ScratchFolder()
        let path = folder.file("new")
        let format = try type.pcmFormat(
            sampleRate: type.encodedRate, channels: 2, bits: 16, isFloat: false)
        let writer = try AudioFileWriter.create(path: path, type: type, format: format)
        let picture = AudioFileArtwork(bytes: [UInt8](repeating: 1, count: 20 << 20))
        let error = #expect(throws: AudioFileError.self) { try writer.setArtwork(picture) }
        expectEqual(error?.code, .unsupported)
        try writer.write([UInt8](repeating: 0, count: 4 * 1000))
        let file = try AudioFile.open(path: path)
        #expect(file.frameCount == 1000 && file.artwork == nil)
    }

    @Test("the rate of an Opus file is the next that Opus has")
    func storedRates() {
        let rates = [1.0, 8000, 8001, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000, 96_000]
        expectEqual(
            rates.map { AudioFileType.oggOpus.storedSampleRate(of: $0) },
            [
                8000, 8000, 12_000, 12_000, 16_000, 24_000, 48_000, 48_000, 48_000, 48_000,
            ])
        expectEqual(rates.map { AudioFileType.oggVorbis.storedSampleRate(of: $0) }, rates)
    }

    private func one(_ samples: [Float], _ channel: Int, of channels: Int) -> [Float] {
        stride(from: channel, to: samples.count, by: channels).map { samples[$0] }
    }

    private func largestDifference(_ first: ArraySlice<UInt8>, _ second: ArraySlice<UInt8>) -> Float {
        zip(samples(Array(first)), samples(Array(second))).reduce(0) { max($0, abs($1.0 - $1.1)) }
    }
}

/// The decoded samples of a file that is read as floating-point samples.
func floats(of file: AudioFile) throws -> [Float] {
    #expect(file.format.isFloat && file.format.mBitsPerChannel == 32)
    return samples(try Contents(of: file, roomBytes: 1 << 16).bytes)
}

private func samples(_ bytes: [UInt8]) -> [Float] {
    unsafe bytes.withUnsafeBytes { bytes in
        (0..<bytes.count / 4).map { unsafe bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
    }
}
