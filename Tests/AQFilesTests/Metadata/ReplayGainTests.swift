// SPDX-License-Identifier: MIT

import AQExpectations
import AQTestSupport
import Testing

@testable import AQFiles

@Suite("Loudness in tags") struct ReplayGainTests {
    private func gain(_ entries: (String, String)...) -> ReplayGain {
        ReplayGain(information: entries.map { AudioFileInformation($0.0, $0.1) })
    }

    @Test(
        "gains are read in the forms of all writers",
        arguments: [
            ("-6.20 dB", -6.2), ("-6.2", -6.2), ("+3,25 db", 3.25), (" 0.5dB ", 0.5), (".5", 0.5),
            ("12 DB", 12),
            ("-60", -60),
        ])
    func numbers(text: String, expected: Double) throws {
        let found = try #require(gain(("replaygain_track_gain", text)).track.gainDecibels)
        #expect(abs(found - expected) < 1e-9)
    }

    @Test(
        "values that are no gains are ignored",
        arguments: [
            "", "dB", "-", "loud", "nan", "inf", "0x10", "1e3", "6.2.1", "--6", "-60.1", "99999999999",
            "6 dB!",
            String(repeating: "1", count: 300),
        ])
    func nonsense(text: String) {
        #expect(gain(("replaygain_track_gain", text)).isEmpty)
    }

    @Test("names are found in any case, the first valid value counts, and peaks have limits")
    func names() {
        let found = gain(
            ("REPLAYGAIN_TRACK_GAIN", "?"), ("ReplayGain_Track_Gain", "-1 dB"),
            ("replaygain_track_gain", "-2 dB"), ("REPLAYGAIN_TRACK_PEAK", "0.988831"),
            ("replaygain_album_gain", "-3 dB"), ("replaygain_album_peak", "0"))
        expectEqual(found.track, .init(gainDecibels: -1, peak: 0.988831))
        expectEqual(found.album, .init(gainDecibels: -3, peak: nil))
        expectEqual(gain(("replaygain_track_peak", "65")).track.peak, nil)
    }

    @Test("R128 gains refer to -23 LUFS, in 256ths of a decibel")
    func r128() {
        let found = gain(("r128_track_gain", "-1280"), ("R128_ALBUM_GAIN", "256"))
        expectEqual(found.track.gainDecibels, 0)
        expectEqual(found.album.gainDecibels, 6)
        #expect(gain(("r128_track_gain", "40000")).isEmpty)
        #expect(gain(("r128_track_gain", "-1.5")).isEmpty)
        expectEqual(
            gain(("r128_track_gain", "0"), ("replaygain_track_gain", "-1")).track.gainDecibels, -1)
    }

    // MARK: ID3

    private func frame(_ name: String, _ contents: [UInt8]) -> [UInt8] {
        Array(name.utf8) + [0, 0, 0, UInt8(contents.count), 0, 0] + contents
    }

    private func tag(_ frames: [UInt8], version: UInt8 = 4) -> [UInt8] {
        Array("ID3".utf8) + [version, 0, 0, 0, 0, UInt8(frames.count >> 7), UInt8(frames.count & 127)]
            + frames
    }

    private func read(_ frames: [UInt8]) -> ReplayGain {
        ReplayGain(information: ID3Reader.metadata(in: TagBytes(tag(frames))).information)
    }

    @Test("RVA2 frames count if there is no text; only the master volume does")
    func relativeVolumes() {
        // A volume of the front left, then the master volume: -6 dB is -3072 512ths; half of 16 bits is full scale.
        let track = frame(
            "RVA2", Array("track\0".utf8) + [3, 0, 0, 0] + [1, 0xF4, 0x00, 16, 0x40, 0x00])
        let album = frame("XRVA", Array("ALBUM\0".utf8) + [1, 0x02, 0x00, 0])
        let found = read(track + album)
        expectEqual(found.track, .init(gainDecibels: -6, peak: 0.5))
        expectEqual(found.album, .init(gainDecibels: 1, peak: nil))
        let text = frame("TXXX", Array("\0REPLAYGAIN_TRACK_GAIN\0-1.50 dB".utf8))
        expectEqual(read(track + text).track.gainDecibels, -1.5)
    }

    @Test(
        "damaged RVA2 frames are ignored",
        arguments: [
            [], [1], [1, 0, 0], [1, 0, 0, 255], [2, 0, 0, 8, 1], Array("x".utf8),
        ] as [[UInt8]])
    func damagedVolumes(contents: [UInt8]) {
        let found = read(frame("RVA2", Array("track\0".utf8) + contents))
        expectEqual(found.track.peak, nil)
        #expect(found.track.gainDecibels.map { $0 == 0 } ?? true)
        #expect(read(frame("RVA2", contents)).isEmpty)
    }

    #if HAVE_MPEG_AUDIO
    // MARK: APE

    private func ape(_ items: [(String, String)], flags: UInt32 = 0) -> [UInt8] {
        var body: [UInt8] = []
        for (name, value) in items {
            body += little(UInt32(value.utf8.count)) + little(flags)
            body += Array(name.utf8) + [0] + Array(value.utf8)
        }
        var footer: [UInt8] = Array("APETAGEX".utf8)
        for number in [2000, UInt32(body.count + 32), UInt32(items.count), 0] as [UInt32] {
            footer += little(number)
        }
        return body + footer + [UInt8](repeating: 0, count: 8)
    }

    @Test("APE tags at the end of MPEG audio, also before ID3v1 and Lyrics3 tags")
    func apeTags() throws {
        let tag = ape([
            ("Title", "x"), ("REPLAYGAIN_TRACK_GAIN", "-4.50 dB"), ("Replaygain_Track_Peak", "0.75"),
        ])
        var old = [UInt8](repeating: 0, count: 128)
        old.replaceSubrange(0..<3, with: "TAG".utf8)
        let lyrics = Array("LYRICSBEGININD0000200LYR00003two".utf8)
        let newLyrics = lyrics + Array("000032LYRICS200".utf8)
        let oldLyrics = Array("LYRICSBEGINone lineLYRICSEND".utf8)
        for end in [[], old, newLyrics, newLyrics + old, oldLyrics + old] {
            let saved = TemporaryFile(MPEGBytes.packets(4) + tag + end)
            let file = try AudioFile.open(path: saved.path)
            expectEqual(file.replayGain.track, .init(gainDecibels: -4.5, peak: 0.75))
            try expectEqual(file.countPackets(), 4)
        }
    }

    @Test("damaged APE tags are ignored")
    func damagedApe() throws {
        let tag = ape([("REPLAYGAIN_TRACK_GAIN", "-4.50 dB")])
        for index in tag.indices {
            var damaged = tag
            damaged[index] = 0xFF
            let saved = TemporaryFile(MPEGBytes.packets(4) + damaged)
            let file = try AudioFile.open(path: saved.path)
            let found = file.replayGain.track.gainDecibels
            #expect(found.map { abs($0) <= 60 } ?? true)
        }
        let binary = ape([("REPLAYGAIN_TRACK_GAIN", "-4.50 dB")], flags: 2)
        let saved = TemporaryFile(MPEGBytes.packets(4) + binary)
        #expect(try AudioFile.open(path: saved.path).replayGain.isEmpty)
    }
    #endif
}
