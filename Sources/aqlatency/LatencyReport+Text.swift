// SPDX-License-Identifier: MIT

import AQDevices
import AQRoundTripAnalysis
import AQToolSupport

/// The report as lines of text, part by part, as the parts are measured.
extension LatencyReport {
    /// Server, device and source, and a notice that audio is played.
    var headLines: [String] {
        let version = server.version.isEmpty ? "" : " \(server.version)"
        var lines = ["Server   \(server.name)\(version)"]
        lines += Self.lines("Device   ", sink)
        if let source { lines += Self.lines("Source   ", source) }
        let signal = source == nil ? "quiet noise" : "chirps"
        lines.append("Playing \(signal) on this device, at \(GainParser.text(level)).")
        return lines.map(DisplayText.sanitized)
    }

    private static func lines(_ title: String, _ device: DeviceInfo) -> [String] {
        var facts = "\(Decimal.text(device.sampleRate, decimals: 0)) Hz, \(device.channels) channels"
        if let more = device.facts {
            if !more.driver.isEmpty { facts += ", \(more.driver)" }
            if more.connection != .unknown { facts += ", \(more.connection.word)" }
            if let frames = more.latencyFrames {
                facts += ", latency \(milliseconds(frames, device.sampleRate)) ms now"
            }
        }
        let margin = String(repeating: " ", count: title.utf8.count)
        let names =
            device.description == device.name || device.description.isEmpty
            ? device.name : "\(device.name): \(device.description)"
        return [title + names, margin + facts]
    }

    private static func milliseconds(_ frames: Int, _ rate: Double) -> String {
        Decimal.text(Double(frames) * 1000 / rate, decimals: 2)
    }

    // MARK: The round trip

    /// Period, priority, statistics and histogram of the round trip.
    func roundTripLines(columns: Int, style: BarStyle) -> [String] {
        guard let result = roundTrip else { return [] }
        let (setting, latency, rate) = (result.setting, result.latency, result.sampleRate)
        var lines = [
            "",
            "Round trip, from the callback to the monitor, \(setting.buffers) x \(setting.frames) frames:",
        ]
        if let granted = result.granted {
            var line =
                "  granted   buffer \(granted.targetFrames) frames, requests of \(granted.requestFrames)"
            if let period = result.device?.facts?.bufferFrames {
                line += ", device period \(period) (\(Self.milliseconds(period, result.sampleRate)) ms)"
            }
            lines.append(line)
        }
        if let priority = result.priority {
            lines.append("  priority  \(priority.text(kernelGrantsHigh: isHighGrantedByKernel))")
        }
        lines.append("  latency   \(Self.text(latency)) ms, \(latency.repeats) callbacks")
        let playing = result.device?.facts?.latencyFrames.map { Self.milliseconds($0, rate) }
        if let playing, result.device?.facts?.connection != .virtual {
            lines.append("  After the monitor the device adds \(playing) ms, according to the server.")
        }
        lines.append("")
        return lines
            + (HistogramChart(result.analysis.latencies)?.lines(columns: columns, style: style) ?? [])
    }

    private static func text(_ summary: Summary) -> String {
        func number(_ value: Double) -> String { Decimal.text(value, decimals: 2) }
        return "min \(number(summary.smallest)), median \(number(summary.median)), "
            + "99 % \(number(summary.percentile99)), max \(number(summary.largest))"
    }

    // MARK: The settings

    /// The head of the table, which fits a terminal of 40 columns.
    static let trialHead = ["", "Buffers    ms median   99 %    max gaps"]

    static func trialLine(_ result: SettingResult) -> String {
        // At least one space separates the columns, whatever their values.
        func column(_ text: String, _ width: Int) -> String {
            String(repeating: " ", count: max(1, width - text.utf8.count)) + text
        }
        func number(_ value: Double) -> String { column(Decimal.text(value, decimals: 2), 7) }
        let setting = "\(result.setting)"
        let length = result.setting.milliseconds(sampleRate: result.sampleRate)
        let latency = result.latency
        return setting + column(Decimal.text(length, decimals: 1), 13 - setting.utf8.count)
            + number(latency.median) + number(latency.percentile99) + number(latency.largest)
            + column("\(result.analysis.gaps)", 5)
    }

    /// The line at the end of an interrupted run.
    var interruptionLine: String {
        roundTrip == nil && trials.isEmpty && loopback == nil
            ? "Interrupted before anything was measured." : "Interrupted: the measurement is not complete."
    }

    // MARK: Loopback

    var loopbackLines: [String] {
        guard let loopback else { return [] }
        let analysis = loopback.analysis
        var lines = [
            "",
            "From the device to the source, \(analysis.delays.count) of \(analysis.playedChirps) chirps found:",
            "  delay     \(Self.text(analysis.delay)) ms",
            "  spread    \(Decimal.text(analysis.delay.meanAbsoluteDeviation, decimals: 3)) ms on average",
        ]
        let ratio =
            analysis.signalToNoise.isFinite
            ? "\(Decimal.text(analysis.signalToNoise, decimals: 0)) dB above the noise" : "without noise"
        var signal = "  signal    \(ratio)"
        if analysis.isInverted { signal += ", polarity inverted" }
        if analysis.isClipped { signal += ", clipped: lower the level of the source" }
        lines.append(signal)
        if let source, source.channels > 1 { lines[lines.count - 1] += ", channel \(analysis.channel + 1)" }
        if let priority = loopback.priority {
            lines.append("  priority  \(priority.text(kernelGrantsHigh: isHighGrantedByKernel))")
        }
        let through = Decimal.text(analysis.throughCallbacks.median, decimals: 2)
        return lines + [
            "The delay is from the time when a frame is audible, by the output's clock, until "
                + "it is captured, by the input's clock. From the callback that plays to the one "
                + "that records: \(through) ms with \(loopback.setting.buffers) x "
                + "\(loopback.setting.frames) frames."
        ]
    }
}

extension DeviceFacts.Connection {
    /// The word for reports.
    var word: String {
        switch self {
        case .unknown: "unknown"
        case .builtIn: "built in"
        case .pci: "PCI"
        case .usb: "USB"
        case .bluetooth: "Bluetooth"
        case .fireWire: "FireWire"
        case .hdmi: "HDMI"
        case .virtual: "virtual"
        case .network: "network"
        }
    }
}
