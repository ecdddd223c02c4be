// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import CoreAudioTypes
import Testing
import AQToolSupport

@testable import aqrecord

@Suite("Reports of a recording")
struct RecordingReportTests {
    private var report: FileReport {
        var levels = LevelTotals(channels: 2)
        levels.add(peak: 0.5, squares: 25, channel: 0)
        levels.frames = 100
        levels.clippedSamples = 3
        return FileReport(
            file: "a \"b\".wav", container: "WAVE", format: "f", sampleRate: 48_000, channels: 2,
            frames: 96_000,
            bytes: 384_080,
            faults: .init(
                overruns: 1, lostFrames: 480, interruptions: 2, interruptedFrames: 24_000, holeFrames: 7),
            levels: levels, firstFrameHostTime: 12_345, firstFrameWallTime: 1_795_237_567_123_456_789,
            ending: .signal)
    }

    @Test("a file, as JSON")
    func json() {
        expectEqual(
            report.json,
            #"{"file":"a \"b\".wav","container":"WAVE","format":"f","sampleRate":48000,"channels":2,"#
                + #""frames":96000,"seconds":2.000000,"bytes":384080,"overruns":1,"lostFrames":480,"#
                + #""interruptions":2,"interruptedSeconds":0.500000,"holeFrames":7,"peakDecibels":-6.02,"rmsDecibels":-9.03,"#
                + #""channelPeakDecibels":[-6.02,null],"channelRMSDecibels":[-6.02,null],"clippedSamples":3,"#
                + #""firstFrameHostTime":12345,"firstFrameTime":"2026-11-21T05:06:07.123Z","ending":"signal","#
                + #""error":null}"#)
    }

    @Test("the line at the end of a recording on a terminal")
    func summaryLine() {
        var report = report
        expectEqual(report.summaryLine, "'a \"b\".wav': 2.0 s, 384 kB, peak -6.0 dB, 24480 frames lost")
        (report.frames, report.faults.lostFrames, report.levels) = (48_000 * 3905, 0, nil)
        expectEqual(report.summaryLine, "'a \"b\".wav': 1:05:05, 384 kB, 24000 frames lost")
    }

    @Test("the line at the end")
    func endLine() {
        expectEqual(
            report.endLine,
            "'a \"b\".wav': recorded 96000 frames (2.000 s), 384 kB, peak -6.0 dB, RMS -9.0 dB, "
                + "3 samples clipped, 480 frames lost, 24000 frames of silence without a server or device")
    }

    @Test(
        "names of files in a row",
        arguments: [
            ("d/out.aif", true, ["d/out-001.aif", "d/out-002.aif", "d/out-003.aif"]),
            ("out.aif", false, ["out.aif", "out-002.aif", "out-003.aif"]),
            ("d.x/out", true, ["d.x/out-001", "d.x/out-002", "d.x/out-003"]),
        ])
    func names(path: FilePath, numbersFirst: Bool, expected: [FilePath]) {
        var names = FileNames(path: path, numbersFirst: numbersFirst)
        expectEqual([names.next(), names.next(), names.next()], expected)
        for _ in 4...999 { _ = names.next() }
        #expect(names.next().description.contains("out-1000"))
    }

    @Test(
        "the line on a terminal leaves out the least important parts as the window narrows",
        arguments: [
            (79, "* 0:12 / 1:00  [##############--|--]       1.2 MB  120 GB free  out-002.aif"),
            (59, "* 0:12 / 1:00  [###########-|-]       1.2 MB  out-002.aif"),
            (39, "* 0:12 / 1:00  [#######|-]        out-…"), (20, "* 0:12/1:00  out-00…"), (5, "* 0:…"),
            (0, ""),
        ])
    func line(columns: Int, expected: String) {
        var line = RecordingLine(elapsedSeconds: 12.9, totalSeconds: 60, path: "d/out-002.aif")
        (line.rms, line.heldPeak) = (0.178, 0.5)
        (line.fileBytes, line.diskBytes) = (1_234_567, 120_000_000_000)
        expectEqual(line.text(columns: columns, style: .ascii), expected)
    }

    @Test(
        "the line shows a pause, a wait for audio and a clip, and never exceeds the width", arguments: 0...120
    )
    func lineStates(columns: Int) {
        var line = RecordingLine(elapsedSeconds: 1e5, path: "日本語の題名はとても長い\u{1B}[2J")
        (line.isClipped, line.fileBytes) = (true, 999_499)
        #expect(DisplayText.columns(of: line.text(columns: columns, style: .ascii)) <= columns)
        line.path = "a"
        guard columns == 79 else { return }
        expectEqual(
            line.text(columns: columns, style: .ascii), "* 27:46:40  [-------------------] CLIP  999 kB  a")
        line.isWaiting = true
        #expect(line.text(columns: columns, style: .ascii).hasPrefix("~ "))
        line.isPaused = true
        #expect(line.text(columns: columns, style: .ascii).hasPrefix("= "))
    }

    @Test("from the second file on, the line shows the time of the file beside its size")
    func fileTime() {
        var line = RecordingLine(elapsedSeconds: 12.9, path: "out-002.aif")
        (line.fileSeconds, line.fileBytes) = (3.2, 1_234_567)
        #expect(line.text(columns: 79, style: .ascii).hasSuffix(" file 0:03 1.2 MB  out-002.aif"))
        #expect(!line.text(columns: 40, style: .ascii).contains("file"))
    }

    @Test("the meter and the clip light stay at 40 columns, beside the longest clocks")
    func narrowMeter() {
        var line = RecordingLine(elapsedSeconds: 3723, totalSeconds: 7200, path: "out.wav")
        (line.rms, line.heldPeak, line.isClipped) = (0.178, 0.5, true)
        expectEqual(line.text(columns: 39, style: .blocks), "* 1:02:03 / 2:00:00  [██████▊ ┃] CLIP ")
        (line.elapsedSeconds, line.totalSeconds) = (360_000, 720_000)
        expectEqual(line.text(columns: 39, style: .blocks), "* 100:00:00 / 200:00:00  [████▌┃] CLIP ")
    }

    @Test("a peak is held for a while, and the clip light stays on longer")
    func peakHold() {
        var hold = PeakHold()
        hold.update(peak: 1, clippedSamples: 0, at: 10)
        hold.update(peak: 0.1, clippedSamples: 0, at: 11)
        #expect((hold.peak, hold.isClipLightOn(at: 11)) == (1, true))
        hold.update(peak: 0.2, clippedSamples: 0, at: 11.6)
        #expect((hold.peak, hold.isClipLightOn(at: 12.9)) == (0.2, true))
        #expect(!hold.isClipLightOn(at: 13.1))
        hold.update(peak: 0.2, clippedSamples: 1, at: 20)
        #expect(hold.isClipLightOn(at: 20))
        hold.update(peak: 0.2, clippedSamples: 1, at: 24)
        #expect(!hold.isClipLightOn(at: 24))
    }

    @Test("lost frames are reported with their time")
    func lossMessage() {
        let format = RecordingFormat(.signedInteger(bits: 16, channels: 2, sampleRate: 48_000))
        expectEqual(
            format.lossMessage(24_000, atFrame: 48_000 * 65),
            "24000 frames (0.500 s) were lost at 1:05 because writing took too long; silence replaces them"
        )
    }

    @Test("silence is half the range where samples are unsigned")
    func silence() {
        let unsigned = RecordingFormat(.unsignedInteger(bits: 8, channels: 2, sampleRate: 48_000))
        expectEqual(unsigned.silence(frames: 2), [0x80, 0x80, 0x80, 0x80])
        let signed = RecordingFormat(.signedInteger(bits: 16, channels: 1, sampleRate: 48_000))
        expectEqual(signed.silence(frames: 2), [0, 0, 0, 0])
    }
}
