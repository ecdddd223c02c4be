// SPDX-License-Identifier: MIT

import AQExpectations
import AQNetworkInput
import Testing

@Suite("HLSVariantChoice")
struct HLSVariantChoiceTests {
    private func choices(_ lines: [String]) throws -> [String] {
        let playlist = try HLSPlaylistTests.master(lines.joined(separator: "\n"))
        return HLSVariantChoice.all(in: playlist).map(\.reference)
    }

    private func variant(_ name: String, _ bandwidth: Int, _ codecs: String?, _ others: String = "") -> String
    {
        let codecs = codecs.map { ",CODECS=\"\($0)\"" } ?? ""
        return "#EXT-X-STREAM-INF:BANDWIDTH=\(bandwidth)\(codecs)\(others)\n\(name)"
    }

    @Test("the highest audio variant that can be played comes first, the lower ones follow")
    func audio() throws {
        let order = try choices([
            variant("low", 48_000, "mp4a.40.5"), variant("high", 256_000, "mp4a.40.2"),
            variant("mid", 128_000, "mp3"),
            variant("dolby", 384_000, "ec-3"), variant("flac", 900_000, "fLaC"),
            variant("unknown", 999_000, nil),
        ])
        expectEqual(order, ["high", "mid", "low", "unknown"])
    }

    @Test("then renditions of audio, default first, then the lowest variant with video")
    func video() throws {
        let rendition = "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="
        let order = try choices([
            rendition + "\"g\",NAME=\"fr\",URI=\"fr\"",
            rendition + "\"g\",NAME=\"de\",AUTOSELECT=YES,URI=\"de\"",
            rendition + "\"g\",NAME=\"en\",DEFAULT=YES,URI=\"en\"",
            rendition + "\"h\",NAME=\"x\",URI=\"surround\"",
            variant("1080", 5_000_000, "avc1.1,mp4a.40.2", ",AUDIO=\"g\""),
            variant("360", 800_000, "avc1.1,mp4a.40.2", ",AUDIO=\"g\""),
            variant("dolby", 700_000, "avc1.1,ac-3", ",AUDIO=\"h\""), variant("silent", 100, "avc1.1"),
            variant("any", 600_000, nil, ",RESOLUTION=640x360"),
        ])
        expectEqual(order, ["en", "de", "fr", "any", "360", "1080"])
    }

    @Test("of equal variants, the substitutes keep their order; repeated ones are left out")
    func substitutes() throws {
        let order = try choices([
            variant("http://a/x", 64_000, "mp4a.40.2"), variant("http://b/x", 64_000, "mp4a.40.2"),
            variant("http://a/x", 64_000, "mp4a.40.2"),
        ])
        expectEqual(order, ["http://a/x", "http://b/x"])
        #expect(try choices([variant("silent", 1, "avc1.1"), variant("dolby", 2, "ec-3")]).isEmpty)
        try expectEqual(choices(["#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"g\",URI=\"u\""]), ["u"])
    }

    @Test(
        "codecs that can be played",
        arguments: [
            ("mp4a.40.2", true), ("MP4A.40.02", true), ("mp4a.40.29", true), ("mp4a.40.34", true),
            ("mp4a.6B", true),
            ("mp4a", true), ("mp4a.40", true), ("mp4a.40.42", false), ("mp4a.40.x", false),
            ("mp4a.a5", false),
            ("ac-3", false), ("Opus", false), ("", false), (".", false), ("avc1.64", false),
        ])
    func playable(codec: String, expected: Bool) {
        expectEqual(HLSCodec.isPlayable(codec), expected)
    }
}
