// SPDX-License-Identifier: MIT

import BenchKit

/// The table of calls on audio threads.
extension ReportTables {
    func audioThreads(_ server: String) -> String {
        var table = MarkdownTable([
            "Library", "Mode", "Thread", "Calls back", "Allocations", "Frees", "Locks", "Waits", "References",
        ])
        for run in record.audioThreads where run.server == server {
            if let failure = run.failure { table.add([library(run.peer), run.mode, failure]) }
            for thread in run.threads {
                table.add([
                    library(run.peer), run.mode, thread.name, thread.callbacks > 0 ? "yes" : "no",
                    run.perCallback(thread, \.allocations), run.perCallback(thread, \.frees),
                    run.perCallback(thread, \.locks), run.perCallback(thread, \.waits),
                    run.perCallback(thread, \.references),
                ])
            }
        }
        guard !table.isEmpty else { return "" }
        return """
            ### Audio threads: the work in each callback

            Calls by the program and its library : by libpulse : by the C library. Locks and waits are those of \
            POSIX and GLib; references are retains and releases of Swift objects.

            \(table.text)
            """
    }
}
