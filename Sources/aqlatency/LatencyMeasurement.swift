// SPDX-License-Identifier: MIT

import AQDevices
import AQToolSupport

/// The measurements that a command line requests, with their report. Main thread only.
final class LatencyMeasurement {
    private let options: LatencyOptions
    private let session: Session
    private let console: Console
    private var report: LatencyReport
    private let barStyle: BarStyle

    /// Finds the devices.
    ///
    /// - Throws: ``ToolFailure`` if there is no server, or it does not have the devices.
    init(_ options: LatencyOptions, _ console: Console) throws(ToolFailure) {
        self.options = options
        self.console = console
        do throws(SystemError) {
            session = try Session(console: console)
        } catch {
            throw ToolFailure(.failure, error.message)
        }
        barStyle = Terminal.takesEscapeSequences(1) ? .ofTerminal : .ascii
        do throws(DeviceError) {
            report = LatencyReport(
                server: try PulseDevice.serverInfo(),
                sink: try Self.device(options.deviceName, "sink", of: PulseDevice.list()),
                level: options.level)
            if options.isLoopback {
                report.source = try Self.device(options.sourceName, "source", of: PulseSource.list())
            }
        } catch {
            throw ToolFailure(error)
        }
        for device in [report.sink] + (report.source.map { [$0] } ?? []) {
            // The memory of the measurement depends on the rate and the channels.
            guard Self.rates.contains(device.sampleRate), (1...32).contains(device.channels) else {
                throw ToolFailure(
                    .failure,
                    "cannot measure '\(device.name)': \(Decimal.text(device.sampleRate, decimals: 0)) Hz and "
                        + "\(device.channels) channels are not supported")
            }
        }
    }

    /// The sample rates that are measured.
    private static let rates = 4_000.0...384_000

    private static func device(
        _ name: String?, _ kind: String, of devices: [DeviceInfo]
    ) throws(DeviceError) -> DeviceInfo {
        if let name, name != "default" {
            guard let device = devices.first(where: { $0.name == name }) else {
                throw DeviceError(
                    .noSuchDevice, "cannot find '\(name)': the sound server has no such \(kind)")
            }
            return device
        }
        guard let device = devices.first(where: \.isDefault) ?? devices.first else {
            throw DeviceError(.noSuchDevice, "cannot measure: the sound server has no \(kind)")
        }
        return device
    }

    /// Measures and reports.
    ///
    /// - Returns: The exit status.
    /// - Throws: ``ToolFailure``. The results so far have been reported.
    func run() throws(ToolFailure) -> ExitStatus {
        report.isHighGrantedByKernel = GrantedPriority.isHighGrantedByKernel
        try print(report.headLines)
        defer { console.clearProgress() }
        do throws(ToolFailure) {
            if options.isLoopback { try measureLoopback() } else { try measureRoundTrip() }
        } catch {
            console.clearProgress()
            try printJSON()
            throw error
        }
        console.clearProgress()
        if session.interruption != nil { try print([report.interruptionLine]) }
        try printJSON()
        if let signal = session.interruption { return .interrupted(bySignal: signal) }
        if !options.isLoopback, Advice.best(of: report.trials.map(Advice.Trial.init)) == nil {
            return .failure
        }
        return .success
    }

    // MARK: The monitor

    /// The largest sample that counts as silence: -90 dB.
    private static let silence: Float = 3e-5
    private static let usualSetting = BufferSetting(buffers: 3, frames: 96)

    private func measureRoundTrip() throws(ToolFailure) {
        let run = try NoiseRun(
            on: report.sink, isPipeWire: report.server.isPipeWire, level: report.level,
            seconds: options.seconds, session)
        defer { run.end() }
        if run.otherPeak > Self.silence {
            console.warning(
                "another program plays on the device, with a peak of \(GainParser.text(run.otherPeak)); its "
                    + "audio may count as gaps")
        }
        let setting = options.settings?.first ?? Self.usualSetting
        guard session.interruption == nil, let result = try run.measure(setting, seconds: options.seconds)
        else { return }
        report.roundTrip = result
        console.clearProgress()
        try print(report.roundTripLines(columns: outputColumns, style: barStyle))
        describe(result)
        try tryAll(run)
    }

    /// Tries the settings, the smallest first, until one has no gap.
    private func tryAll(_ run: NoiseRun) throws(ToolFailure) {
        for setting in options.settings ?? BufferSetting.usual where session.interruption == nil {
            let known = report.roundTrip?.setting == setting ? report.roundTrip : nil
            guard let result = known != nil ? known : try run.measure(setting, seconds: options.seconds)
            else { break }
            // What a signal has cut short proves nothing.
            if session.interruption != nil, !result.hasGap { break }
            report.trials.append(result)
            console.clearProgress()
            // The head waits for the first row, which an interruption may prevent.
            if report.trials.count == 1 { try print(LatencyReport.trialHead) }
            try print([LatencyReport.trialLine(result)])
            if known == nil { describe(result) }
            if !result.hasGap { break }
        }
        report.isInterrupted = session.interruption != nil
        if let advice = report.advice { try print(["", "Advice: \(advice)."]) }
    }

    private func describe(_ result: SettingResult) {
        guard options.isVerbose else { return }
        let granted = result.granted.map { "\($0.targetFrames) frames, requests of \($0.requestFrames)" }
        let length = Decimal.text(result.analysis.gapMilliseconds, decimals: 1)
        console.detail(
            "\(result.setting): granted \(granted ?? "nothing"); \(result.underruns) underruns, gaps of "
                + "\(length) ms in \(Decimal.text(result.analysis.seconds, decimals: 1)) s")
    }

    // MARK: Loopback

    private static let loopbackSetting = BufferSetting(buffers: 3, frames: 480)

    private func measureLoopback() throws(ToolFailure) {
        guard let source = report.source else { return }
        let run = LoopbackRun(
            sink: report.sink, source: source, level: report.level,
            setting: options.settings?.first ?? Self.loopbackSetting, seconds: options.seconds,
            session: session)
        report.loopback = try run.measure()
        console.clearProgress()
        try print(report.loopbackLines)
    }

    // MARK: Output

    /// The last column of a terminal stays free: some of them wrap a line that fills it.
    private var outputColumns: Int { Terminal.isTerminal(1) ? Terminal.columns(of: 1) - 1 : 79 }

    /// Prints lines, wrapped at spaces, unless the report is JSON.
    private func print(_ lines: [String]) throws(ToolFailure) {
        guard !options.isJSON, !lines.isEmpty else { return }
        let columns = outputColumns
        try write(lines.flatMap { DisplayText.wrapped($0, toColumns: columns) }.joined(separator: "\n"))
    }

    private func printJSON() throws(ToolFailure) {
        if options.isJSON { try write(report.json) }
    }

    private func write(_ text: String) throws(ToolFailure) {
        let failure = console.output(text)
        guard failure != 0 else { return }
        throw ToolFailure(
            .inputOutput, "cannot write to standard output: \(systemErrorText(failure).lowercased())")
    }
}
