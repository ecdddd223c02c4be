// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import Foundation
import AQRoundTripAnalysis
import Testing
import AQToolSupport

@testable import aqlatency

@Suite("The report")
struct ReportTests {
    private func report(deviceName: String = "sink") throws -> LatencyReport {
        let sink = DeviceInfo(
            name: deviceName, description: "Built-in Audio", sampleRate: 48_000, channels: 2, isDefault: true,
            facts: DeviceFacts(connection: .pci, latencyFrames: 960, driver: "module-alsa-card.c"))
        var report = LatencyReport(
            server: SoundServerInfo(name: "pulseaudio", version: "16.1", isPipeWire: false), sink: sink,
            level: 0.005)
        report.roundTrip = try result(frames: 96, gaps: 2)
        report.trials = [try result(frames: 96, gaps: 2), try result(frames: 192, gaps: 0)]
        return report
    }

    private func result(frames: Int, gaps: Int) throws -> SettingResult {
        let latencies = (0..<100).map { 4 + Double($0) / 100 }
        var audio = CapturedAudio(sampleRate: 48_000, channels: 1)
        audio.samples = (0..<72_000).map { ReferenceNoise.sample(ofFrame: $0) }
        audio.marks = [.init(frame: 0, captureNanoseconds: 1e9, callbackNanoseconds: 1e9)]
        let callbacks = stride(from: 0, to: 72_000, by: 96).map {
            CallbackRecord(
                entryNanoseconds: 1e9 + Double($0) * 1e9 / 48_000 - 4e6, firstFrame: $0, frames: 96)
        }
        var analysis = try NoiseAnalysis(audio, callbacks: callbacks, playedFrames: 72_000)
        analysis.latencies = latencies
        analysis.gaps = gaps
        analysis.seconds = 3
        return SettingResult(
            setting: BufferSetting(buffers: 3, frames: frames), sampleRate: 48_000, analysis: analysis,
            latency: try #require(Summary(latencies)), clockDifference: 0, underruns: gaps,
            granted: GrantedLatency(
                targetFrames: 288, requestFrames: 48, measuredSeconds: 0, deviceName: "sink",
                deviceSampleRate: 48_000, deviceChannels: 2),
            priority: GrantedPriority(level: .realTime, value: 4))
    }

    @Test("the head names server and device, and states that audio is played")
    func head() throws {
        try expectEqual(
            report().headLines,
            [
                "Server   pulseaudio 16.1", "Device   sink: Built-in Audio",
                "         48000 Hz, 2 channels, module-alsa-card.c, PCI, latency 20.00 ms now",
                "Playing quiet noise on this device, at -46.0 dB.",
            ])
    }

    @Test("control characters in the name of a device never reach the terminal")
    func sanitized() throws {
        let lines = try report(deviceName: "a\u{1B}[2Jb\n").headLines
        expectEqual(lines[1], "Device   a?[2Jb : Built-in Audio")
    }

    @Test("the round trip has its grant, its priority, its statistics and a histogram")
    func roundTrip() throws {
        let lines = try report().roundTripLines(columns: 80, style: .ascii)
        #expect(lines.contains("  granted   buffer 288 frames, requests of 48"))
        #expect(lines.contains("  priority  real-time, priority 4, granted by the kernel"))
        #expect(
            lines.contains("  latency   min 4.00, median 4.50, 99 % 4.98, max 4.99 ms, 100 callbacks"))
        #expect(lines.filter { $0.contains("#") }.count > 5)
        #expect(lines.allSatisfy { $0.count <= 80 })
    }

    @Test("the columns of the table are aligned")
    func table() throws {
        let lines = try report().trials.map(LatencyReport.trialLine)
        expectEqual(
            lines,
            [
                "3x96      6.0   4.50   4.98   4.99    2",
                "3x192    12.0   4.50   4.98   4.99    0",
            ])
        #expect(lines.allSatisfy { $0.count == LatencyReport.trialHead[1].count && $0.count < 40 })
    }

    @Test("the end of an interrupted run states whether anything was measured")
    func interruptionLine() throws {
        var report = try report()
        expectEqual(report.interruptionLine, "Interrupted: the measurement is not complete.")
        report.roundTrip = nil
        report.trials = []
        expectEqual(report.interruptionLine, "Interrupted before anything was measured.")
    }

    @Test("an interrupted run advises only what it has found")
    func interrupted() throws {
        var report = try report()
        report.isInterrupted = true
        expectEqual(report.advice?.hasPrefix("use 3 buffers of 192 frames"), true)
        report.trials.removeLast()
        expectEqual(report.advice, nil)
        report.isInterrupted = false
        expectEqual(report.advice?.hasPrefix("use more than 3 x 96 frames"), true)
    }

    @Test("JSON has every part on one line, and null for what is unknown")
    func json() throws {
        let text = try report().json
        #expect(!text.contains("\n"))
        let object = try #require(
            JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(object["level"] as? Double == -46)
        let trip = try #require(object["roundTrip"] as? [String: Any])
        #expect(trip["gaps"] as? Int == 2 && trip["devicePeriodFrames"] is NSNull)
        #expect(trip["priority"] as? String == "realTime" && trip["priorityGrantedBy"] as? String == "kernel")
        expectEqual((object["settings"] as? [Any])?.count, 2)
        expectEqual((object["advice"] as? String)?.hasPrefix("use 3 buffers of 192 frames (12.0 ms)"), true)
        #expect(object["loopback"] == nil && object["source"] == nil)
    }
}
