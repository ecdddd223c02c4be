// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import CoreAudioTypes
import Glibc
import Testing
import AQTestSupport

@Suite("Bad files")
struct BadFileTests {
    private let data = [UInt8](repeating: 1, count: 400)

    private func failure(_ bytes: [UInt8]) throws -> AudioFileError {
        let saved = TemporaryFile(bytes)
        let error = try #require(throws: AudioFileError.self) { try AudioFile.open(path: saved.path) }
        #expect(error.message.hasPrefix("cannot open '\(saved.path)': "))
        #expect(!error.message.contains("\n"))
        #expect(error.message.last != ".")
        return error
    }

    @Test("names the type of a file that is not an audio file")
    func notSound() throws {
        try expectEqual(failure([]).code, .empty)
        let text = try failure(Array("just some words".utf8))
        expectEqual(text.code, .unrecognised)
        #expect(text.message.hasSuffix("it is text, not an audio file"))
        let picture = try failure([0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10] + data)
        #expect(picture.message.hasSuffix("it is a PNG image, not an audio file"))
        try expectEqual(failure([UInt8](repeating: 0, count: 10_000)).code, .unrecognised)
        try expectEqual(failure([0xFF, 0xF1, 0x50, 0x80, 0x2E, 0x7F, 0xFC]).code, .damaged)
    }

    @Test("names the error of the system")
    func refused() throws {
        func code(_ path: String) throws -> AudioFileError.Code {
            try #require(throws: AudioFileError.self) { try AudioFile.open(path: path) }.code
        }
        try expectEqual(code("/nowhere/at all.wav"), .notFound)
        try expectEqual(code("/tmp"), .isDirectory)
        try expectEqual(code("/etc/passwd/x"), .notFound)
        // Reading address 0 fails for everyone, root included.
        try expectEqual(code("/proc/self/mem"), .unreadable)
    }

    @Test("escapes control characters of a name in the message")
    func hostileName() throws {
        let error = try #require(throws: AudioFileError.self) {
            try AudioFile.open(path: "/nowhere/\u{1B}[2J\n.wav")
        }
        expectEqual(error.message, "cannot open '/nowhere/\\x1b[2J\\x0a.wav': no such file or directory")
    }

    @Test("refuses formats that cannot be played, and names them")
    func impossibleFormats() throws {
        #expect(
            try failure(Header.wave(channels: 0, data: data)).message.hasSuffix("0 channels, not 1 to 1024"))
        try expectEqual(failure(Header.wave(channels: 1025, data: data)).code, .unsupported)
        try expectEqual(failure(Header.wave(channels: 65535, data: data)).code, .unsupported)
        #expect(try failure(Header.wave(rate: 0, data: data)).message.contains("0 Hz"))
        #expect(try failure(Header.wave(rate: 1_000_000_000, data: data)).message.contains("1000000000 Hz"))
        try expectEqual(failure(Header.wave(rate: 1_536_001, data: data)).code, .unsupported)
        try expectEqual(failure(Header.aiff(channels: 0, data: data)).code, .unsupported)
        try expectEqual(
            failure(Header.aiff(rate: [UInt8](repeating: 0, count: 10), data: data)).code, .unsupported)
        try expectEqual(
            failure(Header.aiff(rate: [UInt8](repeating: 0x7F, count: 10), data: data)).code, .unsupported)
        try expectEqual(failure(Header.caf(channels: 0, data: data)).code, .unsupported)
        try expectEqual(failure(Header.caf(rate: 0, data: data)).code, .unsupported)
        try expectEqual(failure(Header.caf(rate: .nan, data: data)).code, .unsupported)
        try expectEqual(failure(Header.caf(rate: 1e9, data: data)).code, .unsupported)
    }

    @Test("accepts the highest rate and the most channels")
    func limits() throws {
        for bytes in [Header.wave(channels: 1024, data: data), Header.wave(rate: 1_536_000, data: data)] {
            let saved = TemporaryFile(bytes)
            #expect(try AudioFile.open(path: saved.path).channelLabels.count > 0)
        }
    }

    @Test("plays the part of the promised audio that exists, with a warning")
    func brokenPromises() throws {
        for bytes in [
            Header.wave(data: data, dataBytes: 0x7FFF_FFF0), Header.aiff(frames: .max, data: data),
            Header.aiff(frames: .max, data: data, dataBytes: .max - 1),
            Header.rf64(data: data, dataBytes: 1 << 63, frames: 1 << 63),
            Header.rf64(data: data, dataBytes: .max, frames: .max),
            Header.caf(data: data, dataBytes: .max), Header.caf(data: data, dataBytes: 1 << 40),
        ] {
            let saved = TemporaryFile(bytes)
            let file = try AudioFile.open(path: saved.path)
            expectEqual(file.frameCount, 100)
            try expectEqual(Contents(of: file).packets, 100)
            #expect(file.warnings.count > 0)
        }
    }

    @Test("reads an open length without a warning")
    func openLength() throws {
        for bytes in [Header.wave(data: data, dataBytes: .max), Header.caf(data: data, dataBytes: -1)] {
            let saved = TemporaryFile(bytes)
            let file = try AudioFile.open(path: saved.path)
            expectEqual(file.frameCount, 100)
            try expectEqual(Contents(of: file).bytes, data)
            #expect(file.warnings.isEmpty)
        }
    }

    @Test("plays a recording whose header was not finished")
    func unfinished() throws {
        var bytes = Header.wave(data: data, dataBytes: 0)
        bytes.replaceSubrange(4..<8, with: [0, 0, 0, 0])
        let saved = TemporaryFile(bytes)
        let file = try AudioFile.open(path: saved.path)
        expectEqual(file.frameCount, 100)
        try expectEqual(Contents(of: file).bytes, data)
        try expectEqual(Contents(of: file, from: 90).bytes.count, 40)
        expectEqual(file.warnings, ["the header was never finished; all that follows it is read as audio"])
    }

    @Test(
        "survives a file cut at any byte",
        arguments: ["wave", "aiff", "caf", "rf64", "mpeg"])
    func cut(kind: String) throws {
        let whole =
            switch kind {
            case "wave": Header.wave(data: [UInt8](data.prefix(40)))
            case "aiff": Header.aiff(data: [UInt8](data.prefix(40)))
            case "caf": Header.caf(data: [UInt8](data.prefix(40)))
            case "rf64": Header.rf64(data: [UInt8](data.prefix(40)), dataBytes: 40, frames: 10)
            default: MPEGBytes.packets(2)
            }
        for count in 0..<whole.count {
            let saved = TemporaryFile([UInt8](whole.prefix(count)))
            guard let file = try? AudioFile.open(path: saved.path) else { continue }
            let frames = try Contents(of: file).packets
            #expect(frames <= 10)
        }
    }

    @Test("survives any change of a single header byte", arguments: ["wave", "aiff", "caf", "rf64"])
    func flipped(kind: String) throws {
        let whole =
            switch kind {
            case "wave": Header.wave(data: data)
            case "aiff": Header.aiff(data: data)
            case "caf": Header.caf(data: data)
            default: Header.rf64(data: data, dataBytes: 400, frames: 100)
            }
        for place in 0..<(whole.count - data.count) {
            for value in [0, 0x7F, 0x80, 0xFF] as [UInt8] {
                var bytes = whole
                bytes[place] = value
                let saved = TemporaryFile(bytes)
                guard let file = try? AudioFile.open(path: saved.path) else { continue }
                #expect(try Contents(of: file).bytes.count <= 100_000)
            }
        }
    }

    @Test("reads or refuses every broken fixture, and warns of damage inside")
    func fixtures() throws {
        var names = ["truncated.wav"]
        #if HAVE_MPEG_AUDIO
        names += ["garbage-between-frames.mp3", "rate-change.mp3", "channel-change.mp3", "truncated.mp3"]
        #endif
        for name in names {
            let file = try AudioFile.open(path: ToolPaths.fixture("broken/" + name))
            #expect(try Contents(of: file).packets > 0)
            #expect(file.warnings.count > 0, "\(name)")
        }
        for name in [
            "empty.mp3", "text-named.mp3", "png-named.wav", "zero-channels.wav", "rate-zero.wav",
            "rate-huge.wav",
        ] {
            #expect(throws: AudioFileError.self, "\(name)") {
                try AudioFile.open(path: ToolPaths.fixture("broken/" + name))
            }
        }
    }
}
