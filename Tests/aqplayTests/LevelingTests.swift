// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import Testing
import AQToolSupport

@testable import aqplay

@Suite("The loudness of tracks in aqplay") struct LevelingTests {
    private static let tags = ReplayGain(
        track: .init(gainDecibels: -6, peak: 0.9), album: .init(gainDecibels: -4, peak: 1))

    private func options(_ arguments: String...) throws -> PlayOptions {
        guard case .play(let options) = try PlayOptions.parse(arguments.map { FilePath($0) } + ["a"]) else {
            throw UsageError("not to be played")
        }
        return options
    }

    @Test("samples are unchanged unless a gain is requested")
    func off() throws {
        try expectEqual(options().leveling.gain(Self.tags), nil)
        try expectEqual(options("--replaygain=off").leveling.gain(Self.tags), nil)
    }

    @Test("the track's gain, or the album's, plus the preamplification")
    func modes() throws {
        try expectEqual(
            options("--replaygain=track").leveling.gain(Self.tags), .init(source: .track, decibels: -6))
        try expectEqual(
            options("--replaygain=Album").leveling.gain(Self.tags), .init(source: .album, decibels: -4))
        try expectEqual(
            options("-r", "track", "--preamp=3dB").leveling.gain(Self.tags),
            .init(source: .track, decibels: -3))
    }

    @Test("a file with one of them is played with it, and one with none unchanged")
    func missing() throws {
        let track = ReplayGain(track: .init(gainDecibels: -2))
        let album = ReplayGain(album: .init(gainDecibels: -3))
        let leveling = (
            try options("--replaygain=track").leveling,
            try options("--replaygain=album", "--preamp=-9").leveling
        )
        expectEqual(leveling.0.gain(album)?.source, .album)
        expectEqual(leveling.1.gain(track), .init(source: .track, decibels: -11))
        let none = try #require(leveling.1.gain(ReplayGain()))
        #expect(none == .init(source: nil, decibels: 0) && none.factor == 1)
    }

    @Test("a gain that would raise the peak above full scale is lowered, unless clipping is allowed")
    func peak() throws {
        let quiet = ReplayGain(track: .init(gainDecibels: 12, peak: 0.5))
        let lowered = try #require(try options("--replaygain=track").leveling.gain(quiet))
        #expect(lowered.isLowered && abs(lowered.decibels - 6.0206) < 0.001)
        #expect(abs(lowered.factor * 0.5 - 1) < 1e-5)
        let clipped = try options("--replaygain=track", "--allow-clipping").leveling.gain(quiet)
        expectEqual(clipped, .init(source: .track, decibels: 12))
        // A peak above full scale is lowered even without a gain.
        let loud = ReplayGain(track: .init(gainDecibels: 0, peak: 2))
        let lowest = try #require(try options("--replaygain=track").leveling.gain(loud))
        #expect(abs(lowest.decibels + 6.0206) < 0.001)
        // An unknown peak counts as full scale.
        let unknown = ReplayGain(track: .init(gainDecibels: 3))
        try expectEqual(options("--replaygain=track").leveling.gain(unknown)?.decibels, 0)
    }

    @Test(
        "wrong values are refused with the right ones",
        arguments: [
            ("--replaygain=loud", "write track, album or off"), ("--preamp=3", "needs '--replaygain=track'"),
            ("--preamp=31", "-30 to 30"), ("--speed=5", "from 0.25 to 4"), ("--speed=fast", "such as 1.5"),
            ("--speed=0.2", "from 0.25 to 4"),
        ])
    func wrong(argument: String, advice: String) {
        let error = #expect(throws: UsageError.self) { try self.options(argument) }
        expectEqual(error?.message.contains(advice), true, "\(error?.message ?? "")")
    }

    @Test("the speed")
    func speed() throws {
        try expectEqual(options().speed, nil)
        try expectEqual(options("--speed=1.5").speed, 1.5)
        try expectEqual(options("--speed", "4").speed, 4)
    }

    @Test("reports name the gain")
    func report() {
        var report = TrackReport(file: "a.flac", container: "FLAC")
        #expect(report.json.contains(#""replayGain":null,"replayGainDecibels":null"#))
        #expect(!report.endLine.contains("ReplayGain"))
        report.gain = Leveling.Gain(source: .album, decibels: -4.125)
        #expect(report.json.contains(#""replayGain":"album","replayGainDecibels":-4.13"#))
        #expect(report.endLine.hasSuffix(", ReplayGain -4.13 dB (album)"))
        report.gain = Leveling.Gain(source: .track, decibels: 2, isLowered: true)
        #expect(report.endLine.hasSuffix(", ReplayGain +2.00 dB (track, lowered for the peak)"))
        report.gain = Leveling.Gain()
        #expect(report.endLine.hasSuffix(", no ReplayGain"))
    }
}
