// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import CoreAudioTypes
import Glibc
import AQTestSupport
import Testing
import AQToolSupport

@testable import aqinfo

@Suite("aqinfo --loudness") struct LoudnessTests {
    private let folder = ScratchFolder()

    /// Writes a stereo tone at 48 kHz, whose peaks are at a level.
    private func writeTone(
        _ name: String, decibels: [(level: Double, seconds: Double)], frequency: Double = 1000,
        type: AudioFileType = .wave
    ) throws -> String {
        var samples: [Float] = []
        for part in decibels {
            let amplitude = pow(10, part.level / 20)
            for _ in 0..<Int(part.seconds * 48_000) {
                let phase = 2 * Double.pi * frequency * Double(samples.count / 2) / 48_000
                samples += [Float](repeating: Float(amplitude * sin(phase)), count: 2)
            }
        }
        let isFloat = type == .wave
        let writer = try AudioFileWriter.create(
            path: folder.file(name), type: type,
            format: isFloat
                ? .float(channels: 2, sampleRate: 48_000)
                : .signedInteger(bits: 16, channels: 2, sampleRate: 48_000))
        if isFloat {
            try unsafe samples.withUnsafeBytes { try unsafe writer.append($0) }
        } else {
            try unsafe samples.map { Int16($0 * 32_767) }.withUnsafeBytes { try unsafe writer.append($0) }
        }
        try writer.close()
        return folder.file(name)
    }

    private func loudness(_ run: Run) throws -> [String: Any] {
        try #require(run.jsonObject()["loudness"] as? [String: Any])
    }

    // The signals of EBU Tech 3341, cases 1 to 3, and their tolerance.
    @Test(
        "measures test signals of EBU Tech 3341",
        arguments: [
            ([(-23, 20)], -23), ([(-33, 20)], -33), ([(-36, 10), (-23, 60), (-36, 10)], -23),
        ] as [([(Double, Double)], Double)])
    func integrated(parts: [(Double, Double)], expected: Double) throws {
        let path = try writeTone("tone.wav", decibels: parts.map { (level: $0.0, seconds: $0.1) })
        let run = Run(["--loudness", "--json", path])
        #expect(run.status == .success && run.complaints == [])
        let found = try loudness(run)
        let loudest = parts.map(\.0).max() ?? 0
        for (key, value) in [("integrated", expected), ("gain", -18 - expected), ("truePeak", loudest)] {
            let measured = try #require(found[key] as? Double)
            #expect(abs(measured - value) <= 0.1, "\(key)")
        }
    }

    @Test("a table with a row for each file, and one for the album")
    func table() throws {
        let loud = try writeTone("loud.wav", decibels: [(-20, 5)])
        let soft = try writeTone("soft.wav", decibels: [(-26, 5)])
        let run = Run(["--album", loud, soft])
        expectEqual(run.status, .success)
        expectEqual(run.lines.first, "    Loudness     Range    True peak       Gain  File")
        expectEqual(run.lines.count, 5)
        #expect(run.lines[1].hasSuffix("dB  \(loud)") && run.lines[1].contains("-20.0"))
        #expect(run.lines[2].hasSuffix("dB  \(soft)") && run.lines[2].contains("-26.0"))
        #expect(run.lines[3].hasSuffix("dB  album of 2 files"))
        expectEqual(Set(run.lines.prefix(3).map(\.utf8.count)).count, 2)
        let brief = Run(["--loudness", "--brief", loud])
        #expect(brief.output.contains("LUFS, 0.00 LU, -20.00 dBTP, gain "))
    }

    @Test("JSON has the loudness of each file, and at the end that of the album")
    func json() throws {
        let path = try writeTone("a.wav", decibels: [(-20, 3)])
        let objects = try #require(Run(["--album", "--json", path]).json() as? [[String: Any]])
        expectEqual(objects.count, 2)
        let track = try #require(objects[0]["loudness"] as? [String: Any])
        let album = try #require(objects[1]["album"] as? [String: Any])
        #expect(track["integrated"] as? Double == album["integrated"] as? Double)
        #expect(try Run(["--json", path]).jsonObject()["loudness"] == nil)
    }

    @Test("silence has no gain, and gets no tags")
    func silence() throws {
        let path = try folder.write(RIFFBytes.wave([Int16](repeating: 0, count: 48_000)), to: "a.wav")
        let before = folder.bytes(of: "a.wav")
        let run = Run(["--loudness", path])
        expectEqual(run.status, .success)
        #expect(run.lines[1].hasPrefix("           -   0.00 LU            -          -  "))
        let tagged = Run(["--loudness", "--write-tags", path])
        expectEqual(tagged.status, .failure)
        expectEqual(tagged.complaints, ["cannot write tags to '\(path)': it is silent or shorter than 0.4 s"])
        expectEqual(folder.bytes(of: "a.wav"), before)
    }

    @Test("a silent track of an album gets the gain of the album")
    func silentTrack() throws {
        let tone = try writeTone("1.flac", decibels: [(-20, 3)], type: .flac)
        let silent = try writeTone("2.flac", decibels: [(-200, 1)], type: .flac)
        expectEqual(Run(["--album", "--write-tags", tone, silent]).status, .success)
        let gain = try AudioFile.open(path: silent).replayGain
        expectEqual(gain.track.gainDecibels, nil)
        try expectEqual(gain.album, AudioFile.open(path: tone).replayGain.album)
    }

    @Test("tags are written only if that is requested, and are what was measured")
    func tags() throws {
        let first = try writeTone("1.flac", decibels: [(-20, 3)], type: .flac)
        let second = try writeTone("2.flac", decibels: [(-30, 3)], type: .flac)
        let before = folder.bytes(of: "1.flac")
        expectEqual(Run(["--album", first, second]).status, .success)
        expectEqual(folder.bytes(of: "1.flac"), before)
        let run = Run(["--album", "--write-tags", first, second])
        #expect(run.status == .success && run.complaints == [])
        let gains = try [first, second].map { try AudioFile.open(path: $0).replayGain }
        for (gain, expected) in zip(gains, [2.0, 12]) {
            let found = try #require(gain.track.gainDecibels)
            #expect(abs(found - expected) < 0.1)
        }
        #expect(gains[0].album.gainDecibels != nil && gains[0].album == gains[1].album)
        let peak = try #require(gains[0].track.peak)
        #expect(abs(peak - 0.1) < 0.001)
        expectEqual(folder.names, ["1.flac", "2.flac"])
    }

    @Test("a file type without tags is reported once")
    func noTags() throws {
        let path = try writeTone("a.w64", decibels: [(-20, 1)], type: .wave64)
        let run = Run(["--write-tags", path])
        expectEqual(run.status, .failure)
        expectEqual(
            run.complaints, ["cannot write tags to '\(path)': tags cannot be written to this file type"])
    }

    @Test("an album with a missing file gets no tags")
    func incompleteAlbum() throws {
        let path = try writeTone("1.flac", decibels: [(-20, 3)], type: .flac)
        let before = folder.bytes(of: "1.flac")
        let run = Run(["--album", "--write-tags", path, folder.file("2.flac")])
        expectEqual(run.status, .failure)
        expectEqual(run.complaints.last, "no tags were written, because not all files could be measured")
        expectEqual(folder.bytes(of: "1.flac"), before)
    }

    @Test("channels of low frequencies are not measured, and surround channels count 1.5 dB more")
    func weights() throws {
        func measure(_ labels: [AudioChannelLabel], playing channel: Int) throws -> Double {
            let meter = try LoudnessMeter(sampleRate: 48_000, labels: labels)
            var samples = [Float](repeating: 0, count: 48_000 * labels.count)
            for frame in 0..<48_000 {
                samples[frame * labels.count + channel] = Float(0.1 * sin(2 * .pi * Double(frame) / 48))
            }
            for _ in 0..<5 { meter.add(samples.span, channels: labels.count) }
            return try meter.end().integrated ?? -.infinity
        }
        let labels = [
            kAudioChannelLabel_Left, kAudioChannelLabel_Right, kAudioChannelLabel_Center,
            kAudioChannelLabel_LFEScreen, kAudioChannelLabel_LeftSurround, kAudioChannelLabel_RightSurround,
        ]
        let front = try measure(labels, playing: 0)
        let surround = try measure(labels, playing: 4)
        #expect(abs(surround - front - 1.5) < 0.02)
        let low = try measure(labels, playing: 3)
        expectEqual(low, -.infinity)
    }

    @Test("combinations without meaning are refused")
    func refused() {
        for (arguments, advice) in [
            (["--loudness", "--packets", "a"], "'--loudness' and '--packets'"),
            (["--album", "--packets", "a"], "'--album' and '--packets'"),
            (["--write-tags", "-"], "needs files"),
        ] {
            let run = Run(arguments)
            expectEqual(run.status, .usage)
            expectEqual(run.complaints.first?.contains(advice), true, "\(run.complaints)")
        }
    }
}
