// SPDX-License-Identifier: MIT

import AQExpectations
import Testing
import AQTestSupport
import AQToolSupport

@testable import aqinfo

@Suite("Waveforms")
struct WaveformTests {
    private func waveform(_ samples: [Float], channels: Int = 1, columns: Int, pieces: Int = 7) -> Waveform {
        var waveform = Waveform(channels: channels, columns: columns)
        var rest = samples[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(pieces * channels))
            waveform.add(piece.span)
            rest = rest.dropFirst(piece.count)
        }
        return waveform
    }

    @Test(
        "a peak is in the column of its time, however long the audio is",
        arguments: [10, 100, 1000, 12_345, 100_000])
    func peak(frames: Int) {
        var samples = [Float](repeating: 0, count: frames)
        samples[frames / 2] = 0.5
        samples[frames - 1] = -1
        let columns = waveform(samples, columns: 10, pieces: 113).columns(10, channel: 0)
        expectEqual(columns.count, 10)
        expectEqual(columns[5].high, 0.5)
        expectEqual(columns[9].low, -1)
        #expect(columns[..<4].allSatisfy { $0.low == 0 && $0.high == 0 })
    }

    @Test("channels are separate, and the power is that of the audio")
    func channels() {
        let samples = (0..<10_000).flatMap { _ in [Float(0.25), Float(-0.5)] }
        let made = waveform(samples, channels: 2, columns: 4)
        expectEqual(made.frames, 10_000)
        for column in made.columns(4, channel: 0) {
            #expect((column.low, column.high) == (0.25, 0.25))
            #expect(abs(column.rms - 0.25) < 1e-4)
        }
        for column in made.columns(4, channel: 1) { #expect((column.low, column.high) == (-0.5, -0.5)) }
    }

    @Test("silence, no audio and NaN are drawn")
    func nothing() {
        #expect(waveform([], columns: 8).columns(8, channel: 0).isEmpty)
        let odd = waveform([.nan, .infinity, -.infinity, 3, 0], columns: 8)
        expectEqual(odd.columns(8, channel: 0).count, 8)
        for isBraille in [true, false] {
            let graph = WaveformGraph(columns: 40, isBraille: isBraille)
            for made in [waveform([], columns: 8), odd] {
                for line in graph.lines(made, labels: ["M"], sampleRate: 8000) { #expect(line.count <= 40) }
            }
        }
        _ = WaveformImage.draw(odd, size: InfoOptions.ImageSize(width: 16, height: 16))
    }

    @Test("the graph in ASCII shows loud and silent parts")
    func ascii() throws {
        let folder = ScratchFolder()
        let samples = (0..<8000).map { $0 < 4000 ? 0 : ($0 % 2 == 0 ? Int16.max : Int16.min) }
        let path = try folder.write(RIFFBytes.wave(samples), to: "a.wav")
        let run = Run(["--brief", "--graph", path], columns: 44)
        let rows = run.lines.filter { $0.hasSuffix("|") }
        expectEqual(rows.count, 9)
        expectEqual(
            rows[0], "  |" + String(repeating: " ", count: 20) + String(repeating: "#", count: 20) + "|")
        expectEqual(
            rows[4], "M |" + String(repeating: "-", count: 20) + String(repeating: "#", count: 20) + "|")
        #expect(run.output.utf8.allSatisfy { $0 < 128 })
        expectEqual(run.lines.suffix(2).first?.hasSuffix("0:01.0"), true)
    }

    @Test("the graph in braille fits as well")
    func braille() throws {
        let folder = ScratchFolder()
        let samples = (0..<8000).map { $0 < 4000 ? 0 : ($0 % 2 == 0 ? Int16.max : Int16.min) }
        let path = try folder.write(RIFFBytes.wave(samples), to: "a.wav")
        let rows = Run(["--brief", "--graph", path], columns: 44, isUTF8: true).lines.filter {
            $0.hasSuffix("|")
        }
        expectEqual(rows.count, 4)
        #expect(rows.allSatisfy { $0.count == 44 })
        #expect(rows[0].contains("⣿⣿⣿⣿"))
    }

    @Test("the image is written, and an older one is kept unless overwriting is requested")
    func image() throws {
        let folder = ScratchFolder()
        let path = try folder.write(RIFFBytes.wave([0, 100, -100]), to: "a.wav")
        let target = folder.file("a.png")
        let first = Run(["--waveform=\(target)", "--size=64x32", path])
        expectEqual(first.status, .success)
        let png = folder.bytes(of: "a.png")
        #expect(png.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        expectEqual(first.field("Frames"), "3")
        let second = Run(["--waveform=\(target)", path])
        expectEqual(second.status, .inputOutput)
        expectEqual(second.complaints.first?.contains("'--overwrite' replaces it"), true)
        expectEqual(folder.bytes(of: "a.png"), png)
        expectEqual(Run(["--waveform=\(target)", "-y", path]).status, .success)
        #expect(folder.bytes(of: "a.png") != png)
        let piped = Run(["--waveform=-", "--size=64x32", path])
        expectEqual(piped.imageBytes, png)
        #expect(piped.output.isEmpty)
    }

    @Test("a file that cannot be decoded has a report, a reason, and no image")
    func undecodable() throws {
        let folder = ScratchFolder()
        // A CAF file of Qualcomm's speech coding: 35 bytes and 160 frames a packet.
        let description =
            [0x40, 0xBF, 0x40, 0, 0, 0, 0, 0] + Array("Qclp".utf8)
            + [0, 35, 160, 1, 0].flatMap { big($0, 4) }
        let sound = [UInt8](repeating: 0, count: 4 + 350)
        let chunks = [("desc", description), ("data", sound)].flatMap { type, contents in
            Array(type.utf8) + big(contents.count, 8) + contents
        }
        let path = try folder.write(Array("caff\0\u{1}\0\0".utf8) + chunks, to: "a.caf")
        expectEqual(Run([path]).status, .success)
        let run = Run(["--waveform=\(folder.file("a.png"))", "--graph", path])
        expectEqual(run.status, .failure)
        expectEqual(run.field("Packets"), "10 of 160 frames")
        expectEqual(run.complaints.first?.contains("'Qclp'"), true)
        #expect(!run.output.contains("|"))
        expectEqual(folder.names, ["a.caf"])
        expectEqual(Run(["--check", path]).status, .unchecked)
    }

    @Test("a thousand channels are drawn as well")
    func manyChannels() {
        var waveform = Waveform(channels: 1024, columns: 10_000)
        let silence = [Float](repeating: 0, count: 1024 * 2100)
        waveform.add(silence.span)
        expectEqual(waveform.frames, 2100)
        expectEqual(waveform.columns(10_000, channel: 1023).count, 10_000)
    }
}
