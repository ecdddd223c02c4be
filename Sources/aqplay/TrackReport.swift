import AudioDevices
import AudioFiles
import CoreAudioTypes
import ToolSupport

/// The report of `--json` and `--verbose` at the end of a track.
struct TrackReport {
    var file: FilePath
    /// Nil if the file could not be opened, as are all facts that follow from it.
    var container: String?
    var format: AudioStreamBasicDescription?
    var framesPlayed: Int64 = 0
    var underruns = 0
    var damagedPackets = 0
    var requestedLatencySeconds = 0.0
    var granted: GrantedLatency?
    var warnings: [String] = []
    var error: String?

    private var sampleRate: Double? { format?.mSampleRate }

    var secondsPlayed: Double { sampleRate.map { Double(framesPlayed) / $0 } ?? 0 }

    /// The duration of the audio that the device holds, as granted.
    var grantedLatencySeconds: Double? {
        guard let granted, let sampleRate else { return nil }
        return Double(granted.targetFrames) / sampleRate
    }

    /// One line.
    var json: String {
        var json = JSONWriter()
        json.object { json in
            json.field("file", path: file)
            json.key("container")
            json.value(optional: container)
            json.key("format")
            json.value(optional: format?.summary)
            json.key("sampleRate")
            // Whole for all but a few files, and then without decimals.
            let rate = sampleRate ?? .nan
            json.value(rate, decimals: rate == rate.rounded() ? 0 : 3)
            json.key("channels")
            if let format { json.value(Int(format.mChannelsPerFrame)) } else { json.null() }
            json.key("framesPlayed")
            json.value(framesPlayed)
            json.key("secondsPlayed")
            json.value(secondsPlayed, decimals: 6)
            json.key("underruns")
            json.value(underruns)
            json.key("damagedPackets")
            json.value(damagedPackets)
            json.key("device")
            json.value(optional: granted?.deviceName)
            json.key("requestedLatencySeconds")
            json.value(requestedLatencySeconds, decimals: 6)
            json.key("grantedLatencySeconds")
            json.value(grantedLatencySeconds ?? .nan, decimals: 6)
            json.key("measuredLatencySeconds")
            json.value(granted?.measuredSeconds ?? .nan, decimals: 6)
            json.key("warnings")
            json.array { json in for warning in warnings { json.value(warning) } }
            json.key("error")
            json.value(optional: error)
        }
        return json.text
    }

    /// The frames played and the device, for `--verbose`.
    var endLine: String {
        var line =
            "'\(file)': played \(framesPlayed) frames (\(Decimal.text(secondsPlayed, decimals: 3)) s), "
        line += underruns == 1 ? "1 underrun" : "\(underruns) underruns"
        guard let granted, let grantedLatencySeconds else { return line }
        let rate = Decimal.text(granted.deviceSampleRate, decimals: 0)
        line += ", on '\(granted.deviceName)' (\(rate) Hz, \(granted.deviceChannels) ch)"
        line += ", latency requested \(Self.milliseconds(requestedLatencySeconds))"
        line += ", granted \(Self.milliseconds(grantedLatencySeconds))"
        return line + ", measured \(Self.milliseconds(granted.measuredSeconds))"
    }

    private static func milliseconds(_ seconds: Double) -> String {
        "\(Decimal.text(seconds * 1000, decimals: 1)) ms"
    }
}

extension JSONWriter {
    fileprivate mutating func value(optional text: String?) {
        if let text { value(text) } else { null() }
    }
}
