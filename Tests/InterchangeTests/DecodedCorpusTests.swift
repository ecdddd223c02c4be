// SPDX-License-Identifier: MIT

// Builds without all codecs cannot decode all files.
#if HAVE_AV_CODECS && HAVE_MPEG_AUDIO
import AQSoundHarness
import Testing

/// Decodes real files, and compares them with other decoders.
@Suite(
    "Corpus, decoded", .enabled(if: CorpusManifest.folder != nil, "make test-corpus"),
    .enabled(if: Tools.areInstalled, "\(Tools.foreign) are not all installed"))
struct DecodedCorpusTests {
    @Test(
        "every file decodes to its frames and samples, is refused, or has a warning",
        arguments: CorpusManifest.rows)
    func decodes(row: CorpusManifest.Row) throws {
        let verdict = try CorpusVerdict(row)
        try CorpusTable.shared.add(verdict)
        #expect(verdict.failures.isEmpty, "\(verdict.finding)")
    }
}
#endif
