// SPDX-License-Identifier: MIT

import AQDevices
import AQFiles
import CoreAudioTypes
import AQDeviceListing
import AQToolSupport

/// The report of `--json` and `--verbose` at the end of a track.
struct TrackReport {
    var file: FilePath
    /// The container; nil if the file could not be opened. Values that depend on it are then nil too.
    var container: String?
    var format: AudioStreamBasicDescription?
    /// The gain for the track's loudness; nil if gains are off.
    var gain: Leveling.Gain?
    var framesPlayed: Int64 = 0
    var underruns = 0
    var damagedPackets = 0
    /// The latency that the command line or its default requests; nil if AQ_LATENCY sets another.
    var requestedLatencySeconds: Double?
    /// The speed at the end of the report.
    var speed = 1.0
    var granted: GrantedLatency?
    var warnings: [String] = []
    var error: String?

    private var sampleRate: Double? { format?.mSampleRate }

    var secondsPlayed: Double { sampleRate.map { Double(framesPlayed) / $0 } ?? 0 }

    /// The duration of the audio that the device holds, as granted, in seconds.
    var grantedLatencySeconds: Double? {
        guard let granted, let sampleRate else { return nil }
        return Double(granted.targetFrames) / sampleRate
    }

    /// The report as JSON, on one line.
    var json: String {
        var json = JSONWriter()
        json.object { json in
            json.field("file", path: file)
            json.field("container", container)
            json.field("format", format?.summary)
            // Most rates are whole numbers, and are written without decimals.
            json.field("sampleRate", sampleRate, decimals: sampleRate == sampleRate?.rounded() ? 0 : 3)
            json.field("channels", format?.mChannelsPerFrame)
            json.field("framesPlayed", framesPlayed)
            json.field("secondsPlayed", secondsPlayed, decimals: 6)
            json.field("replayGain", gain?.source?.rawValue)
            json.field("replayGainDecibels", gain?.source == nil ? nil : gain?.decibels, decimals: 2)
            json.field("speed", speed, decimals: 3)
            json.field("underruns", underruns)
            json.field("damagedPackets", damagedPackets)
            json.field("device", granted?.deviceName)
            json.field("requestedLatencySeconds", requestedLatencySeconds, decimals: 6)
            json.field("grantedLatencySeconds", grantedLatencySeconds, decimals: 6)
            json.field("measuredLatencySeconds", granted?.measuredSeconds, decimals: 6)
            json.field("warnings", warnings)
            json.field("error", error)
        }
        return json.text
    }

    /// The line of `--verbose`: the played frames and the device.
    var endLine: String {
        var line =
            "'\(file)': played \(framesPlayed) frames (\(Decimal.text(secondsPlayed, decimals: 3)) s), "
        line += underruns == 1 ? "1 underrun" : "\(underruns) underruns"
        if let gain { line += ", \(gain.words)" }
        if speed != 1 { line += ", at speed \(Decimal.text(speed, decimals: 2))" }
        guard let granted, let grantedLatencySeconds else { return line }
        line += ", on \(granted.deviceWords)"
        line += ", latency requested "
        line += requestedLatencySeconds.map { Self.milliseconds($0) } ?? "by AQ_LATENCY"
        line += ", granted \(Self.milliseconds(grantedLatencySeconds))"
        // A short track ends before there is a measurement.
        if granted.measuredSeconds > 0 { line += ", measured \(Self.milliseconds(granted.measuredSeconds))" }
        return line
    }

    private static func milliseconds(_ seconds: Double) -> String {
        "\(Decimal.text(seconds * 1000, decimals: 1)) ms"
    }
}
