// SPDX-License-Identifier: MIT

import Foundation

/// The resources that a running process has used so far, as reported by the kernel.
struct ProcessSample {
    var processorSeconds = 0.0
    var threads = 0
    var voluntarySwitches = 0
    var involuntarySwitches = 0
    /// The peak memory in bytes. It is not taken from wait4(), whose value includes the parent's memory at the start.
    var peakResidentBytes = 0

    /// Reads the values; all are 0 if the process has ended.
    init(process: Int32) {
        let folder = "/proc/\(process)/task"
        for line in Self.text("/proc/\(process)/status").split(separator: "\n") where line.hasPrefix("VmHWM:")
        {
            let kilobytes = line.dropFirst("VmHWM:".count).drop { $0 == "\t" || $0 == " " }.prefix {
                $0.isNumber
            }
            peakResidentBytes = (Int(kilobytes) ?? 0) * 1024
        }
        for thread in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            threads += 1
            // The first number is the time on a processor in nanoseconds.
            let schedule = Self.text("\(folder)/\(thread)/schedstat").split(separator: " ")
            processorSeconds += (schedule.first.flatMap { Double($0) } ?? 0) / 1e9
            for line in Self.text("\(folder)/\(thread)/status").split(separator: "\n") {
                let number = Int(line.split(separator: "\t").last ?? "") ?? 0
                if line.hasPrefix("voluntary_ctxt_switches") { voluntarySwitches += number }
                if line.hasPrefix("nonvoluntary_ctxt_switches") { involuntarySwitches += number }
            }
        }
    }

    private static func text(_ path: String) -> String {
        (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    }
}
