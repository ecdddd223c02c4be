// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import Testing
import AQToolSupport

@Suite("Sizes, levels, and paths")
struct ByteCountParserTests {
    @Test(
        "sizes with the units of split and dd",
        arguments: [
            ("700M", 734_003_200), ("4G", 4_294_967_296), ("1.5K", 1536), ("10k", 10_240),
            ("2GB", 2_000_000_000),
            ("1MiB", 1_048_576), ("3kB", 3000), ("5T", 5_497_558_138_880), ("512B", 512),
        ] as [(String, Int64)])
    func sizes(text: String, bytes: Int64) {
        expectEqual(ByteCountParser.byteCount(text), bytes)
    }

    @Test(
        "invalid sizes",
        arguments: [
            "", "M", "700", "700m", "-4G", "4 G", "4g", "1e3K", "infK", "9999999999T", "5min", "1:30",
        ])
    func badSizes(text: String) {
        expectEqual(ByteCountParser.byteCount(text), nil)
    }

    @Test(
        "sizes in three or four digits",
        arguments: [
            (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (9949, "9.9 kB"), (9950, "10 kB"),
            (999_499, "999 kB"),
            (999_500, "1.0 MB"), (120_000_000_000, "120 GB"), (5_000_000_000_000_000, "5000 TB"), (-1, "0 B"),
        ] as [(Int64, String)])
    func texts(bytes: Int64, text: String) {
        expectEqual(ByteCountParser.text(bytes), text)
    }

    @Test("levels in decibels, in their range")
    func decibels() throws {
        try expectEqual(GainParser.decibels("-30", option: "--x", in: -120...0), -30)
        try expectEqual(GainParser.decibels("-6.5dB", option: "--x", in: -120...0), -6.5)
        for text in ["1", "-121", "", "dB", "loud", "-6db2"] {
            #expect(
                throws: UsageError(
                    "invalid level '\(text)' for '--x'; write decibels, -120 to 0, such as -12dB")
            ) { try GainParser.decibels(text, option: "--x", in: -120...0) }
        }
    }

    @Test(
        "a path's stem and extension",
        arguments: [
            ("a.wav", "a", ".wav"), ("d.x/a", "d.x/a", ""), (".wav", ".wav", ""), ("d/.wav", "d/.wav", ""),
            ("a.b.c", "a.b", ".c"), ("a.", "a", "."), ("", "", ""),
        ])
    func stems(path: FilePath, stem: FilePath, dotExtension: FilePath) {
        #expect(path.splitExtension == (stem, dotExtension))
    }

    @Test("the free space of a file system is reported, also for a file that does not exist so far")
    func diskSpace() {
        #expect(DiskSpace.availableBytes(forFile: "not-yet-made.wav") ?? 0 > 0)
        expectEqual(DiskSpace.availableBytes(forFile: "/no/such/folder/x.wav"), nil)
    }
}
