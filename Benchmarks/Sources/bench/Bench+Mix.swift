// SPDX-License-Identifier: MIT

import BenchKit
import Foundation
import AQSoundHarness

/// The measure of programs that mix files in one stream.
extension Bench {
    /// A program, and the arguments of its way to play.
    private struct Mixer {
        var name: String
        var program: PeerProgram
        var arguments: [String] = []
    }

    /// Plays the same files with each program, in turn.
    mutating func mix(on rig: Rig) throws {
        let plan = schedule.mix
        let folder = "\(rig.folder)/files"
        // Longer than a run, because a file that is read while it is played is not played again.
        try MixedFiles.write(
            plan.files, seconds: Int(plan.runs.seconds) + 4, sampleRate: Rig.sampleRate, to: folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let mixers = try mixers()
        let recorderSeconds = schedule.longestSeconds + 10
        say("\n## \(plan.files) files in one stream, \(plan.runs.seconds) s\n\(MixResult.header)")
        let all = plan.runs.settings.flatMap { setting in mixers.map { (mixer: $0, setting: setting) } }
        for (mixer, setting) in order.interleaved(all, repeats: plan.runs.repeats) {
            var run = run(
                .mix, mixer.program, setting, seconds: plan.runs.seconds,
                more: ["--files", folder, "--scale", String(plan.files)] + mixer.arguments)
            run.signal = "sine"
            let scale = try make("\(mixer.name) \(setting)", on: rig) {
                ScaleResult.measured(
                    run, streams: plan.files, recorderSeconds: recorderSeconds, on: rig)
            }
            let result = MixResult(mixer: mixer.name, scale)
            say(result.line)
            record.mixes = (record.mixes ?? []) + [result]
        }
        for row in MixComparison.all((record.mixes ?? []).filter { $0.server == rig.kind.rawValue }) {
            say(row.line)
        }
    }

    private func mixers() throws -> [Mixer] {
        try PeerProgram.find(in: peerFoldersToSearch, names: nil, prefix: "mix-").flatMap { program in
            let plain = Mixer(name: program.name, program: program)
            guard program.name == PeerTraits.engine else { return [plain] }
            return [
                plain,
                Mixer(name: "\(program.name), streamed", program: program, arguments: ["--stream"]),
            ]
        }
    }
}

/// The result of one run of a program that mixes files.
struct MixResult: Codable {
    var mixer: String
    var server: String
    var setting: BufferSetting
    var failure: String?
    /// Spans in which a file is not heard as it is, and files that are never heard.
    var gaps: Int
    var inaudible: Int
    var cost: OutputResult.Cost?

    init(mixer: String, _ scale: ScaleResult) {
        self.mixer = mixer
        server = scale.server
        setting = scale.setting
        failure = scale.failure
        gaps = scale.gaps
        inaudible = scale.inaudibleStreams
        cost = scale.cost
    }

    static let header =
        "mixer                     frames  gaps  inaudible   cpu%  srv%  csw/s     MB  threads"

    var line: String {
        let name = OutputTable.pad(mixer, 26) + String(format: "%6d", setting.frames)
        guard failure == nil, let cost else { return name + "  " + (failure ?? "nothing was measured") }
        return name + String(format: "%6d%11d%7.2f", gaps, inaudible, cost.processorPercent)
            + String(
                format: "%6.1f%7.0f", cost.serverProcessorPercent ?? .nan, cost.voluntarySwitchesPerSecond)
            + String(format: "%7.1f%9d", cost.peakMegabytes, cost.threads)
    }
}

/// The runs of a program with one setting, beside those of the other libraries.
struct MixComparison {
    var mixer: String
    var setting: BufferSetting
    var processorPercent: Summary
    var gaps: Int
    /// The processor time as a multiple of that of each other library.
    var ratios: [(mixer: String, ratio: Double)]

    /// Returns the comparisons of all results on a server, without those of failed runs.
    static func all(_ results: [MixResult]) -> [MixComparison] {
        var order: [String] = []
        for result in results where !order.contains(result.mixer) { order.append(result.mixer) }
        return Set(results.map(\.setting)).sorted { $0.frames < $1.frames }.flatMap { setting in
            let costs = order.sorted().compactMap { mixer -> MixComparison? in
                let own = results.filter { $0.mixer == mixer && $0.setting == setting && $0.failure == nil }
                return Summary(own.compactMap { $0.cost?.processorPercent }).map {
                    MixComparison(
                        mixer: mixer, setting: setting, processorPercent: $0,
                        gaps: own.reduce(0) { $0 + $1.gaps }, ratios: [])
                }
            }
            return costs.map { cost in
                var cost = cost
                cost.ratios = costs.filter {
                    !$0.mixer.hasPrefix(PeerTraits.engine) && $0.mixer != cost.mixer
                }
                .map { ($0.mixer, cost.processorPercent.median / $0.processorPercent.median) }
                return cost
            }
        }
    }

    var ratioText: String {
        ratios.map { "\(String(format: "%.2f", $0.ratio)) × \($0.mixer)" }.joined(separator: ", ")
    }

    var line: String {
        "\(mixer), \(setting.frames) frames: median "
            + String(
                format: "%.2f %% (%.2f–%.2f): ", processorPercent.median, processorPercent.smallest,
                processorPercent.largest)
            + ratioText
    }
}
