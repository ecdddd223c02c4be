// SPDX-License-Identifier: MIT

import BenchKit

/// The measures of recording, alone and in full duplex.
extension Bench {
    mutating func input(on rig: Rig, isDuplex: Bool) throws {
        let plan = schedule.input
        let runs = plan.settings.flatMap { setting in
            peers.map {
                InputRun(
                    peer: $0, setting: setting, seconds: plan.seconds, isDuplex: isDuplex,
                    isLoaded: options.isLoaded)
            }
        }
        say(isDuplex ? "\n## Full duplex, ms" : "\n## Input: monitor to callback, ms")
        say(InputResult.header)
        for run in order.interleaved(runs, repeats: plan.repeats) {
            var result = try make("\(run.peer.name) \(run.setting)", on: rig) { run.measured(on: rig) }
            say(result.line)
            result.notes = result.notes.filter { $0.key.hasPrefix("granted_") }
            record.inputs.append(result)
        }
    }
}
