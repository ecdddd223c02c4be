// SPDX-License-Identifier: MIT

import AQExpectations
import Testing
import AQTestSupport

@testable import AQNetworkInput

@Suite("HLSPlaylist")
struct HLSPlaylistTests {
    static func media(_ text: String) throws -> HLSMediaPlaylist {
        guard case .media(let playlist) = try HLSPlaylist(Array(text.utf8)) else {
            throw HarnessError("it is a master playlist")
        }
        return playlist
    }

    static func master(_ text: String) throws -> HLSMasterPlaylist {
        guard case .master(let playlist) = try HLSPlaylist(Array(text.utf8)) else {
            throw HarnessError("it is a media playlist")
        }
        return playlist
    }

    private func reason(_ text: String) -> String? {
        do throws(HLSPlaylistError) {
            _ = try HLSPlaylist(Array(text.utf8))
            return nil
        } catch {
            return error.reason
        }
    }

    @Test("live segments have numbers, titles and durations", arguments: ["\n", "\r\n", "\r"])
    func live(lineEnd: String) throws {
        let text = """
            \u{FEFF}#EXTM3U
            #EXT-X-VERSION:3
            #EXT-X-TARGETDURATION:10
            #EXT-X-MEDIA-SEQUENCE:1700000000123
            #EXT-X-DISCONTINUITY-SEQUENCE:7
            #EXT-X-UNKNOWN:a=b
            # comment
            #EXTINF:9.984,Artist - A, B
            #EXT-X-PROGRAM-DATE-TIME:2024-01-01T00:00:00Z
            a.aac?x=1

            #EXT-X-DISCONTINUITY
            #EXTINF:10
            #EXT-X-GAP
            http://h/b.aac
            #EXTINF:-1,
            c ü.aac
            """
        let playlist = try Self.media(text.replacing("\n", with: lineEnd))
        expectEqual(playlist.targetSeconds, 10)
        expectEqual(
            playlist.segments.map(\.sequenceNumber),
            [
                1_700_000_000_123, 1_700_000_000_124, 1_700_000_000_125,
            ])
        expectEqual(playlist.segments.map(\.reference), ["a.aac?x=1", "http://h/b.aac", "c ü.aac"])
        expectEqual(playlist.segments.map(\.seconds), [9.984, 10, 0])
        expectEqual(playlist.segments.map(\.title), ["Artist - A, B", nil, nil])
        expectEqual(playlist.segments.map(\.discontinuityNumber), [7, 8, 8])
        expectEqual(playlist.segments.map(\.isGap), [false, true, false])
        #expect(!playlist.hasEnded)
        expectEqual(playlist.kind, nil)
        expectEqual(playlist.startSeconds, nil)
    }

    @Test("byte ranges without offset follow the previous one of the same resource")
    func byteRanges() throws {
        let playlist = try Self.media(
            """
            #EXTM3U
            #EXT-X-MAP:URI="a,b.m4s",BYTERANGE="765@0"
            #EXTINF:4,
            #EXT-X-BYTERANGE:48812@765
            a.m4s
            #EXTINF:4,
            #EXT-X-BYTERANGE:100
            a.m4s
            #EXT-X-MAP:URI="c.mp4"
            #EXTINF:4,
            #EXT-X-BYTERANGE:10
            b.m4s
            #EXTINF:4,
            c.m4s
            #EXTINF:4,
            #EXT-X-BYTERANGE:x@1
            d.m4s
            #EXTINF:4,
            #EXT-X-BYTERANGE:0@1
            d.m4s
            """)
        expectEqual(
            playlist.segments.map(\.byteRange), [765..<49_577, 49_577..<49_677, 0..<10, nil, nil, 1..<1])
        expectEqual(playlist.segments.map(\.isGap), [false, false, false, false, true, true])
        expectEqual(
            playlist.segments.map(\.initialization?.reference),
            [
                "a,b.m4s", "a,b.m4s", "c.mp4", "c.mp4", "c.mp4", "c.mp4",
            ])
        expectEqual(playlist.segments.first?.initialization?.byteRange, 0..<765)
        expectEqual(playlist.segments.last?.initialization?.byteRange, nil)
    }

    @Test("keys apply to the following segments, until there is none")
    func keys() throws {
        let playlist = try Self.media(
            """
            #EXTM3U
            #EXTINF:4,
            a
            #EXT-X-KEY:METHOD=AES-128,URI="k,METHOD=NONE",IV=0x1
            #EXTINF:4,
            b
            #EXTINF:4,
            c
            #EXT-X-KEY:METHOD=NONE
            #EXTINF:4,
            d
            #EXT-X-KEY:URI="k"
            #EXTINF:4,
            e
            """)
        expectEqual(
            playlist.segments.map(\.encryptionMethod),
            [
                nil, "AES-128", "AES-128", nil, "an unknown method",
            ])
    }

    @Test("type, end and start")
    func ends() throws {
        let playlist = try Self.media(
            "#EXTM3U\n#EXT-X-PLAYLIST-TYPE:VOD\n#EXT-X-START:PRECISE=YES,TIME-OFFSET=-12.25\n#EXTINF:4.6,\na\n#EXT-X-ENDLIST"
        )
        expectEqual(playlist.kind, .onDemand)
        expectEqual(playlist.startSeconds, -12.25)
        #expect(playlist.hasEnded)
        expectEqual(playlist.targetSeconds, 5)
        try expectEqual(Self.media("#EXT-X-TARGETDURATION:6\n#EXT-X-PLAYLIST-TYPE:EVENT").kind, .event)
    }

    @Test(
        "durations are numbers, and limited",
        arguments: [
            ("1e9", 0), ("nan", 0), ("inf", 0), ("0x10", 0), ("-5", 0), (".5", 0.5), ("5.", 5),
            ("+1.25", 1.25),
            ("", 0), (".", 0), ("1.2.3", 0), ("99999999999999999999999999", 1e9),
        ] as [(String, Double)])
    func durations(text: String, expected: Double) throws {
        let playlist = try Self.media("#EXTINF:\(text),\na")
        expectEqual(playlist.segments.first?.seconds, expected)
        #expect(1...3600 ~= playlist.targetSeconds)
    }

    @Test("numbers near the largest integer are refused by line")
    func numbers() throws {
        let largest = Int64.max
        expectEqual(reason("#EXT-X-MEDIA-SEQUENCE:\(largest)"), "a number in line 1 is too large")
        expectEqual(
            reason("#EXT-X-MEDIA-SEQUENCE:99999999999999999999999"), "a number in line 1 is too large")
        expectEqual(
            reason("#EXTINF:1\n#EXT-X-DISCONTINUITY-SEQUENCE:\(largest)"), "a number in line 2 is too large"
        )
        expectEqual(reason("#EXTINF:1\n#EXT-X-BYTERANGE:\(largest)@1\na"), "a number in line 3 is too large")
        expectEqual(reason("#EXTINF:1\n#EXT-X-BYTERANGE:1@\(largest)\na"), "a number in line 3 is too large")
        expectEqual(
            reason("#EXTINF:1\n#EXT-X-MAP:BYTERANGE=\"\(largest)\""), "a number in line 2 is too large")
        let half = Int64(1) << 61
        let ranges = "#EXTINF:1\n#EXT-X-BYTERANGE:\(half)@\(half)\na\n#EXT-X-BYTERANGE:\(half)\na"
        expectEqual(reason(ranges), "a number in line 5 is too large")
        try expectEqual(
            Self.media("#EXT-X-MEDIA-SEQUENCE:\(half)\na\nb").segments.last?.sequenceNumber, half + 1)
        try expectEqual(Self.media("#EXT-X-MEDIA-SEQUENCE:-1\na").segments.first?.sequenceNumber, 0)
    }

    @Test("other text, long text and too many segments are refused")
    func refused() {
        expectEqual(reason(""), "it has neither variants nor segments")
        expectEqual(reason("#EXTM3U\na.mp3"), "it has neither variants nor segments")
        expectEqual(
            reason("#EXTINF:1\n" + String(repeating: "a\n", count: 50_001)), "it has more than 50000 segments"
        )
        let long = String(repeating: "a", count: HLSPlaylist.mostBytes + 1)
        expectEqual(reason(long), "it has more than 4194304 bytes")
    }

    @Test("a reference that cannot be an address is a gap, and counts")
    func badReference() throws {
        let long = String(repeating: "a", count: 10_000)
        let playlist = try Self.media("#EXTINF:1,\n\(long)\n#EXTINF:1,\na\u{1}\n#EXTINF:1,\nb")
        expectEqual(playlist.segments.map(\.isGap), [true, true, false])
        expectEqual(playlist.segments.last?.sequenceNumber, 2)
        let latin = try HLSPlaylist(Array("#EXTINF:1,\nf".utf8) + [0xFC, 0x72])
        guard case .media(let playlist) = latin else { return }
        expectEqual(playlist.segments.first?.reference, "f%FCr")
    }

    @Test("variants and renditions, with commas in quotes")
    func masterPlaylist() throws {
        let playlist = try Self.master(
            """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English, \u{1B}stereo",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,URI="en.m3u8"
            #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="S",URI="s.m3u8"
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="None"
            #EXT-X-STREAM-INF:BANDWIDTH=64000, CODECS="mp4a.40.5, avc1.4d001e",AUDIO="a",RESOLUTION=1x1
            low.m3u8
            #EXT-X-STREAM-INF:AVERAGE-BANDWIDTH=1,BANDWIDTH=99999999999999999999999,BANDWIDTH=5
            # comment
            b.m3u8
            orphan.m3u8
            #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI="i.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=1
            """)
        expectEqual(
            playlist.variants,
            [
                .init(
                    reference: "low.m3u8", bandwidth: 64_000, codecs: ["mp4a.40.5", "avc1.4d001e"],
                    audioGroup: "a",
                    statesVideo: true),
                .init(reference: "b.m3u8", bandwidth: 0, codecs: [], audioGroup: nil, statesVideo: false),
            ])
        expectEqual(
            playlist.audioRenditions,
            [
                .init(
                    group: "a", name: "English, stereo", language: "en", reference: "en.m3u8",
                    isDefault: true,
                    isAutomatic: true),
                .init(
                    group: "a", name: "None", language: nil, reference: nil, isDefault: false,
                    isAutomatic: false),
            ])
    }

    @Test(
        "attribute lists with faults are read as far as possible",
        arguments: [
            "AUDIO=\"g", "=,AUDIO=\"g\"", "x,AUDIO=\"g\"", "AUDIO=g", "A=\"1\"x,AUDIO=\"g\"",
            ",,AUDIO=\"g\",,",
            "A=\",\", AUDIO =\"g\"",
        ])
    func attributes(list: String) throws {
        let playlist = try Self.master("#EXT-X-STREAM-INF:\(list)\na")
        expectEqual(playlist.variants.first?.audioGroup, "g")
    }
}
