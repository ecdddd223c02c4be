// SPDX-License-Identifier: MIT

import AQDevices
import AQRoundTripAnalysis
import AQToolSupport

/// The report as JSON.
extension LatencyReport {
    /// One object, on one line. Parts that were not measured are missing. Times are in milliseconds.
    var json: String {
        var json = JSONWriter()
        json.object { json in
            json.key("server")
            json.object { json in
                json.field("name", server.name)
                json.field("version", server.version)
            }
            json.key("device")
            Self.write(sink, to: &json)
            if let source {
                json.key("source")
                Self.write(source, to: &json)
            }
            json.field("level", Double(GainParser.decibels(level)), decimals: 1)
            if let roundTrip {
                json.key("roundTrip")
                json.object { write(roundTrip, hasHistogram: true, to: &$0) }
            }
            if !trials.isEmpty {
                json.key("settings")
                json.array { json in
                    for trial in trials { json.object { write(trial, hasHistogram: false, to: &$0) } }
                }
            }
            if let loopback {
                json.key("loopback")
                json.object { write(loopback, to: &$0) }
            }
            if let advice { json.field("advice", advice) }
        }
        return json.text
    }

    private static func write(_ device: DeviceInfo, to json: inout JSONWriter) {
        json.object { json in
            json.field("name", device.name)
            json.field("description", device.description)
            json.field("sampleRate", device.sampleRate, decimals: 0)
            json.field("channels", device.channels)
            json.field("driver", device.facts?.driver)
            json.field("connection", device.facts.map { "\($0.connection)" })
            json.field("latencyFrames", device.facts?.latencyFrames)
        }
    }

    private func write(_ result: SettingResult, hasHistogram: Bool, to json: inout JSONWriter) {
        json.field("buffers", result.setting.buffers)
        json.field("frames", result.setting.frames)
        json.field("seconds", result.analysis.seconds, decimals: 3)
        json.field("gaps", result.analysis.gaps)
        json.field("gapMilliseconds", result.analysis.gapMilliseconds, decimals: 2)
        json.field("underruns", result.underruns)
        json.field("grantedBufferFrames", result.granted?.targetFrames)
        json.field("grantedRequestFrames", result.granted?.requestFrames)
        json.field("devicePeriodFrames", result.device?.facts?.bufferFrames)
        write(result.priority, to: &json)
        json.key("latency")
        Self.write(result.latency, to: &json)
        guard hasHistogram, let chart = HistogramChart(result.analysis.latencies) else { return }
        json.key("histogram")
        json.object { json in
            json.field("binWidth", chart.width, decimals: 3)
            json.key("bins")
            json.array { json in
                for bin in chart.bins {
                    json.object { json in
                        json.field("start", bin.start, decimals: 3)
                        json.field("count", bin.count)
                    }
                }
            }
            json.field("later", chart.laterCount)
        }
    }

    private func write(_ priority: GrantedPriority?, to json: inout JSONWriter) {
        json.field("priority", priority?.level.rawValue)
        json.field("priorityValue", priority?.value)
        json.field("priorityGrantedBy", priority.flatMap { grantor(of: $0) })
    }

    private func grantor(of priority: GrantedPriority) -> String? {
        switch priority.level {
        case .realTime: "kernel"
        case .high: isHighGrantedByKernel ? "kernel" : "RealtimeKit"
        case .normal: nil
        }
    }

    private func write(_ loopback: LoopbackRun.Result, to json: inout JSONWriter) {
        let analysis = loopback.analysis
        json.field("buffers", loopback.setting.buffers)
        json.field("frames", loopback.setting.frames)
        json.field("playedChirps", analysis.playedChirps)
        json.field("foundChirps", analysis.delays.count)
        json.key("delay")
        Self.write(analysis.delay, to: &json)
        json.field("callbackToCallback", analysis.throughCallbacks.median, decimals: 3)
        json.field("signalToNoise", analysis.signalToNoise, decimals: 1)
        json.field("isInverted", analysis.isInverted)
        json.field("isClipped", analysis.isClipped)
        json.field("channel", analysis.channel + 1)
        json.field("grantedBufferFrames", loopback.output?.targetFrames)
        json.field("grantedFragmentFrames", loopback.input?.requestFrames)
        write(loopback.priority, to: &json)
    }

    private static func write(_ summary: Summary, to json: inout JSONWriter) {
        json.object { json in
            json.field("count", summary.repeats)
            json.field("minimum", summary.smallest, decimals: 3)
            json.field("median", summary.median, decimals: 3)
            json.field("percentile99", summary.percentile99, decimals: 3)
            json.field("maximum", summary.largest, decimals: 3)
            json.field("meanAbsoluteDeviation", summary.meanAbsoluteDeviation, decimals: 4)
        }
    }
}
