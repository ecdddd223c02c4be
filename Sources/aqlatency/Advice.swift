// SPDX-License-Identifier: MIT

import AQRoundTripAnalysis
import AQToolSupport

/// The line of advice after the settings were tried.
enum Advice {
    /// What the advice is derived from.
    struct Trial: Equatable {
        var setting: BufferSetting
        var sampleRate: Double
        var gaps: Int
        /// The time for which the setting was measured.
        var seconds: Double
        /// The latencies that half and 99 of 100 callbacks do not exceed, in milliseconds.
        var median: Double
        var percentile99: Double
        var priority: GrantedPriority.Level?

        init(
            setting: BufferSetting, sampleRate: Double, gaps: Int, seconds: Double, median: Double,
            percentile99: Double, priority: GrantedPriority.Level? = nil
        ) {
            self.setting = setting
            self.sampleRate = sampleRate
            self.gaps = gaps
            self.seconds = seconds
            self.median = median
            self.percentile99 = percentile99
            self.priority = priority
        }

        init(_ result: SettingResult) {
            self.init(
                setting: result.setting, sampleRate: result.sampleRate, gaps: result.analysis.gaps,
                seconds: result.analysis.seconds, median: result.latency.median,
                percentile99: result.latency.percentile99, priority: result.priority?.level)
        }
    }

    /// Returns the smallest setting without a gap; nil if there is none.
    static func best(of trials: [Trial]) -> Trial? {
        trials.filter { $0.gaps == 0 }.min { $0.setting.totalFrames < $1.setting.totalFrames }
    }

    /// Returns the advice; nil without trials.
    ///
    /// - Parameter longSeconds: A time that makes another run worthwhile; shorter runs advise it.
    static func text(for trials: [Trial], longSeconds: Double = 60) -> String? {
        guard let largest = trials.max(by: { $0.setting.totalFrames < $1.setting.totalFrames }) else {
            return nil
        }
        guard let best = best(of: trials) else {
            let (buffers, frames) = (largest.setting.buffers, largest.setting.frames)
            return "use more than \(buffers) x \(frames) frames, because all settings had gaps; "
                + (largest.priority == .realTime
                    ? "end other programs that use the processor"
                    : "allow real-time priority (RLIMIT_RTPRIO)")
        }
        let setting = best.setting
        let duration = Decimal.text(setting.milliseconds(sampleRate: best.sampleRate), decimals: 1)
        var text =
            "use \(setting.buffers) buffers of \(setting.frames) frames (\(duration) ms): no gap in "
            + "\(Decimal.text(best.seconds, decimals: best.seconds < 10 ? 1 : 0)) s, audible after "
            + "\(Decimal.text(best.median, decimals: 2)) ms, 99 % within "
            + "\(Decimal.text(best.percentile99, decimals: 2)) ms"
        if best.priority == .normal { text += "; real-time priority (RLIMIT_RTPRIO) would prevent gaps" }
        if best.seconds < longSeconds * 0.9 { text += "; check with --minute" }
        return text
    }
}
