import Foundation

/// What a running process has used up so far, as the kernel tells.
struct ProcessSample {
    var processorSeconds = 0.0
    var threads = 0
    var voluntarySwitches = 0
    var involuntarySwitches = 0
    /// The largest that it was. What wait4() tells is no less than its parent was when it started it.
    var peakResidentBytes = 0

    /// All zero for a process that is gone.
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
            // The first number is nanoseconds on a processor.
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
