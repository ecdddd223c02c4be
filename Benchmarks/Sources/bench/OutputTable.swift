// SPDX-License-Identifier: MIT

import BenchKit
import Foundation

/// The results of output runs for the terminal, one line each.
enum OutputTable {
    static let header =
        "peer          setting   median   ±95%     p99     max   MAD   p99-med  pred.err     gaps (ms)   "
        + "start  interval  sink  cpu%  srv%  csw/s    MB thr"

    static func line(_ result: OutputResult) -> String {
        let name = pad(result.peer, 13) + pad(result.setting.description, 8)
        guard result.failure == nil, let latency = result.latency else {
            return name + "  " + (result.failure ?? "nothing was measured")
        }
        var line = name
        line += String(format: "%8.3f", latency.median)
        line += String(format: "%7.3f", (latency.medianHigh - latency.medianLow) / 2)
        line += String(
            format: "%8.2f%8.2f%6.2f", latency.percentile99, latency.largest, latency.meanAbsoluteDeviation)
        line += String(format: "%10.2f", latency.percentile99 - latency.median)
        line +=
            result.predictionError.map {
                String(format: "%+6.2f/%.2f", $0.median, max(abs($0.smallest), abs($0.largest)))
            } ?? "        -"
        line += String(format: "%6d (%.1f)", result.gaps.number, result.gaps.totalMilliseconds)
        line += String(format: "%6d", result.startGaps.number)
        line += result.interval.map { String(format: "%9.2f", $0.median) } ?? "        -"
        line += String(format: "%6.2f", result.sinkPeriod)
        if let cost = result.cost {
            line += String(format: "%7.2f", cost.processorPercent)
            line += cost.serverProcessorPercent.map { String(format: "%6.2f", $0) } ?? "     -"
            line += String(
                format: "%7.0f%6.1f%4d", cost.voluntarySwitchesPerSecond, cost.peakMegabytes, cost.threads)
        }
        if let stalls = result.stalls, stalls.number > 0 {
            line += String(format: "  %d stalls (%.1f)", stalls.number, stalls.longestMilliseconds)
            if let gaps = result.gaps.besideStalls, gaps > 0 { line += ", \(gaps) gaps by them" }
        }
        if result.recorderHoles > 0 { line += "  RECORDER LOST \(result.recorderHoles)" }
        if !result.isExact { line += String(format: "  inexact (%.2f)", result.fraction) }
        return line
    }

    /// Returns the setting and the latency of a result.
    static func frontier(_ result: OutputResult) -> String {
        guard let latency = result.latency else { return "" }
        return pad(result.setting.description, 10)
            + String(format: "%7.3f, p99 %.3f", latency.median, latency.percentile99)
    }

    static func pad(_ text: String, _ width: Int) -> String {
        text.count >= width ? text + " " : text + String(repeating: " ", count: width - text.count)
    }
}
