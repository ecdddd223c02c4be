// SPDX-License-Identifier: MIT

import BenchKit
import AQSoundHarness

/// The measure of start, stop, pause and resume.
extension Bench {
    mutating func coldStart(on rig: Rig) throws {
        let setting = options.settings?.first ?? BufferSetting(buffers: 3, frames: 480)
        let plan = schedule.starts
        var times: [String: [String: [Double]]] = [:]
        var failures: [String: String] = [:]
        let runs = order.interleaved(
            peers.flatMap { peer in
                [StartRun.Kind.cold, .primed].map { StartRun(peer: peer, setting: setting, kind: $0) }
            }, repeats: plan.repeats)
        let pauses = order.interleaved(
            peers.map { StartRun(peer: $0, setting: setting, kind: .pausing) }, repeats: plan.pauses)
        for run in runs + pauses {
            let result = try make("\(run.peer.name) \(run.kind)", on: rig) {
                Result { try run.times(on: rig) }
            }
            switch result {
            case .success(let own):
                for (name, value) in own {
                    times[run.peer.name, default: [:]][name, default: []].append(value)
                }
            case .failure(let failure): failures[run.peer.name] = "\(failure)"
            }
        }
        say("\n## Start and stop to sound and silence, ms: \(plan.repeats) runs each\n\(StartResult.header)")
        for peer in peers {
            let own = times[peer.name] ?? [:]
            func summary(_ name: String) -> Summary? { Summary(own[name] ?? []) }
            let result = StartResult(
                peer: peer.name, server: rig.kind.rawValue, setting: setting,
                failure: own.isEmpty ? failures[peer.name] : nil, processToSound: summary("process"),
                createToSound: summary("create"), startToSound: summary("start"),
                startInPeriods: summary("periods"),
                stopToSilence: summary("stop"), pauseToSilence: summary("pause"),
                resumeToSound: summary("resume"), sinkPeriod: summary("period")?.median ?? 0)
            say(result.line)
            record.starts.append(result)
        }
    }
}
