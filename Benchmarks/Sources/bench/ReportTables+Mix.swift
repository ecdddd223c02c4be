// SPDX-License-Identifier: MIT

import BenchKit

/// The table of programs that mix files.
extension ReportTables {
    func mixes(_ server: String) -> String {
        var table = MarkdownTable([
            "Program", "Frames", "Runs", "CPU %, median", "Smallest", "Largest", "Compared with others",
            "Gaps",
        ])
        let results = (record.mixes ?? []).filter { $0.server == server }
        for row in MixComparison.all(results) {
            table.add([
                row.mixer, String(row.setting.frames), String(row.processorPercent.repeats),
                number(row.processorPercent.median), number(row.processorPercent.smallest),
                number(row.processorPercent.largest), row.ratioText, String(row.gaps),
            ])
        }
        for run in results {
            if let failure = run.failure { table.add([run.mixer, String(run.setting.frames), failure]) }
        }
        return section(
            "Files in one stream",
            "One process plays many files of 16 bits in one stream, each with another sine: players of the engine, "
                + "chunks of SDL2_mixer, sources of OpenAL Soft. The files are in memory; *streamed* are files that "
                + "are read while they are played. Processor time is that of the process, from the first second on.",
            table)
    }
}
