// SPDX-License-Identifier: MIT

import BenchKit
import Foundation
import AQSoundHarness

/// The calls of a program's threads that do not belong in a realtime thread.
struct AudioThreadResult: Codable {
    var peer: String
    var server: String
    /// Either "output" or "input".
    var mode: String
    var setting: BufferSetting
    var seconds: Double
    var failure: String?
    /// The callbacks of all threads while calls were counted.
    var callbacks = 0
    var threads: [ThreadCounts] = []

    static let header =
        "peer         mode    thread            calls back  allocations      frees           locks           "
        + "waits       references   per callback, by program : libpulse : libc"

    var lines: [String] {
        let name = OutputTable.pad(peer, 13) + OutputTable.pad(mode, 8)
        if let failure { return [name + failure] }
        return threads.map { thread in
            name + OutputTable.pad(thread.name, 18) + OutputTable.pad(thread.callbacks > 0 ? "yes" : "no", 12)
                + [\.allocations, \.frees, \.locks, \.waits, \.references]
                .map { OutputTable.pad(perCallback(thread, $0), 16) }.joined()
        }
    }

    /// Returns the number of calls per callback: by the program and its library, by libpulse, by the C library.
    func perCallback(_ thread: ThreadCounts, _ kind: KeyPath<ThreadCounts.Calls, Int>) -> String {
        [thread.program, thread.libpulse, thread.cLibrary]
            .map { calls in
                let number = calls[keyPath: kind]
                // A few calls in thousands of callbacks must not be shown as none.
                let value = Double(number) / Double(max(1, callbacks))
                return number == 0 ? "0" : value < 0.005 ? "<0.01" : String(format: "%.2f", value)
            }
            .joined(separator: " : ")
    }
}

/// One run of a program with the meter in LD_PRELOAD.
struct AudioThreadRun {
    var peer: PeerProgram
    var mode: String
    var setting: BufferSetting
    var seconds: Double
    var meterPath: String
    var moreArguments: [String] = []

    func counted(on rig: Rig) -> AudioThreadResult {
        var result = AudioThreadResult(
            peer: peer.name, server: rig.kind.rawValue, mode: mode, setting: setting, seconds: seconds)
        do {
            let threads = try run(on: rig).threads
            result.callbacks = threads.reduce(0) { $0 + $1.callbacks }
            result.threads = ThreadCounts.merged(threads)
            if result.callbacks == 0 { result.failure = "no callback while it was counted" }
        } catch {
            result.failure = "\(error)"
        }
        return result
    }

    private func run(on rig: Rig) throws -> PeerLog {
        let program = try RecordedProgram(peer, on: rig, environment: ["LD_PRELOAD": meterPath]) {
            peer.arguments(
                mode: mode, setting: setting, seconds: seconds, log: $0,
                more: ["--input-device", "\(Rig.sinkName).monitor"] + moreArguments)
        }
        // Waits for a time instead of for audio, because a recorder plays nothing.
        rig.wait(seconds: min(0.5, seconds / 4))
        // From here on, the program determines the sink's period.
        try rig.setLively(false)
        program.wait(seconds: seconds)
        try rig.setLively(true)
        try program.end(upToSeconds: 15)
        let log = try program.log()
        guard !log.threads.isEmpty else {
            throw BenchError("\(peer.name) was not counted: no meter was found")
        }
        return log
    }
}
