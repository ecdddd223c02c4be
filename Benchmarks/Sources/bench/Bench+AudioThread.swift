// SPDX-License-Identifier: MIT

import BenchKit
import Foundation

/// The measure of calls on audio threads.
extension Bench {
    /// Counts the calls of every peer's threads in each callback.
    mutating func audioThreads(on rig: Rig) throws {
        guard let meterPath else {
            throw BenchError(
                "cannot count what threads do: audiometer.so is not built")
        }
        let setting = options.settings?.first ?? BufferSetting(buffers: 3, frames: 240)
        let seconds = schedule.audioThreadSeconds
        let runs = peers.filter { schedule.isMetered($0.traits) }.flatMap { peer in
            ["output", "input"].map {
                AudioThreadRun(
                    peer: peer, mode: $0, setting: setting, seconds: seconds, meterPath: meterPath,
                    moreArguments: options.fault.map { ["--fault", $0] } ?? [])
            }
        }
        say("\n## Audio threads, \(setting): what is done in each callback\n\(AudioThreadResult.header)")
        for run in runs {
            let result = try make("\(run.peer.name) \(run.mode)", on: rig) { run.counted(on: rig) }
            result.lines.forEach { say($0) }
            record.audioThreads.append(result)
        }
    }

    /// The path of the meter, which is built with the peers for other libraries; nil if it was not built.
    private var meterPath: String? {
        peerFoldersToSearch
            .map { URL(fileURLWithPath: $0).standardizedFileURL.appending(path: "audiometer.so").path }
            .first { FileManager.default.isReadableFile(atPath: $0) }
    }
}
