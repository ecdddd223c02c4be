import BenchKit
import SoundHarness

/// Starting, stopping, pausing and resuming.
extension Bench {
    mutating func coldStart(on rig: Rig) throws {
        let setting = options.settings?.first ?? BufferSetting(buffers: 3, frames: 480)
        let plan = schedule.starts
        var times: [String: [String: [Double]]] = [:]
        var failures: [String: String] = [:]
        let runs =
            order.interleaved(peers, repeats: plan.repeats).map {
                StartRun(peer: $0, setting: setting, pauses: false)
            }
            + order.interleaved(peers, repeats: plan.pauses)
            .map { StartRun(peer: $0, setting: setting, pauses: true) }
        for run in runs {
            progress.step(run.peer.name)
            do {
                for (name, value) in try run.times(on: rig) {
                    times[run.peer.name, default: [:]][name, default: []].append(value)
                }
            } catch { failures[run.peer.name] = "\(error)" }
            try Interrupted.check()
        }
        say("\n## Start and stop to sound and silence, ms: \(plan.repeats) runs each\n\(StartResult.header)")
        for peer in peers {
            let own = times[peer.name] ?? [:]
            func summary(_ name: String) -> Summary? { Summary(own[name] ?? []) }
            let result = StartResult(
                peer: peer.name, server: rig.kind.rawValue, setting: setting,
                failure: own.isEmpty ? failures[peer.name] : nil, processToSound: summary("process"),
                createToSound: summary("create"), startToSound: summary("start"),
                stopToSilence: summary("stop"), pauseToSilence: summary("pause"),
                resumeToSound: summary("resume"), sinkPeriod: summary("period")?.median ?? 0)
            say(result.line)
            record.starts.append(result)
        }
    }
}
