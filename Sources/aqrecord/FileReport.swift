// SPDX-License-Identifier: MIT

import AQFiles
import Glibc
import AQToolSupport

/// The report of `--json` and `--verbose` at the end of a file.
struct FileReport: Equatable {
    /// The reason why a file, or the recording, ended.
    enum Ending: String {
        /// The file has the requested length.
        case length
        case silence
        case signal
        case key
        /// The next file was due, requested, or needed because the container was full.
        case split, nextFile, containerFull
        /// The server or the device did not return.
        case deviceLost
        case error
    }

    var file: FilePath
    var container: String
    var format: String
    var sampleRate: Double
    var channels: Int
    var frames: Int64 = 0
    var bytes: Int64 = 0
    var faults = Faults()
    /// The levels; nil if they were not measured.
    var levels: LevelTotals?
    /// The time when the first frame was captured, in nanoseconds of CLOCK_MONOTONIC, and the same time in nanoseconds
    /// since 1970.
    var firstFrameHostTime: UInt64?
    var firstFrameWallTime: UInt64?
    var ending = Ending.length
    var error: String?

    var seconds: Double { Double(frames) / sampleRate }

    /// The faults of a recording.
    struct Faults: Equatable {
        /// The number of times that frames were lost before they could be recorded, and the number of these frames.
        /// Silence replaces them.
        var overruns = 0
        var lostFrames: Int64 = 0
        /// The number of times that the server or the device was away, and the number of silent frames for that time.
        var interruptions = 0
        var interruptedFrames: Int64 = 0
        /// The number of silent frames for which the server had no data.
        var holeFrames: Int64 = 0

        static func - (left: Faults, right: Faults) -> Faults {
            Faults(
                overruns: left.overruns - right.overruns, lostFrames: left.lostFrames - right.lostFrames,
                interruptions: left.interruptions - right.interruptions,
                interruptedFrames: left.interruptedFrames - right.interruptedFrames,
                holeFrames: left.holeFrames - right.holeFrames)
        }
    }

    /// The report as JSON, on one line.
    var json: String {
        var json = JSONWriter()
        json.object { json in
            json.field("file", path: file)
            json.field("container", container)
            json.field("format", format)
            // Most rates are whole numbers, and are written without decimals.
            json.field("sampleRate", sampleRate, decimals: sampleRate == sampleRate.rounded() ? 0 : 3)
            json.field("channels", channels)
            json.field("frames", frames)
            json.field("seconds", seconds, decimals: 6)
            json.field("bytes", bytes)
            json.field("overruns", faults.overruns)
            json.field("lostFrames", faults.lostFrames)
            json.field("interruptions", faults.interruptions)
            json.field("interruptedSeconds", Double(faults.interruptedFrames) / sampleRate, decimals: 6)
            json.field("holeFrames", faults.holeFrames)
            writeLevels(to: &json)
            json.field("firstFrameHostTime", firstFrameHostTime)
            json.field("firstFrameTime", firstFrameWallTime.map(WallClock.text))
            json.field("ending", ending.rawValue)
            json.field("error", error)
        }
        return json.text
    }

    private func writeLevels(to json: inout JSONWriter) {
        let channels = 0..<(levels?.channels ?? 0)
        json.field("peakDecibels", decibels: levels?.peak)
        json.field("rmsDecibels", decibels: levels?.rms)
        json.key("channelPeakDecibels")
        json.array { json in for peak in levels?.peaks ?? [] { json.value(decibels: peak) } }
        json.key("channelRMSDecibels")
        json.array { json in for channel in channels { json.value(decibels: levels?.rms(ofChannel: channel)) }
        }
        json.field("clippedSamples", levels?.clippedSamples)
    }

    /// The report for `--verbose`.
    var endLine: String {
        var line = "\(Self.name(file)): recorded \(frames) frames (\(Decimal.text(seconds, decimals: 3)) s)"
        line += ", \(ByteCountParser.text(bytes))"
        if let levels {
            line += ", peak \(Self.text(levels.peak)), RMS \(Self.text(levels.rms))"
            if levels.clippedSamples > 0 { line += ", \(levels.clippedSamples) samples clipped" }
        }
        if faults.lostFrames > 0 { line += ", \(faults.lostFrames) frames lost" }
        if faults.interruptedFrames > 0 {
            line += ", \(faults.interruptedFrames) frames of silence without a server or device"
        }
        return line
    }

    /// The report for a user at a terminal. Frames are lost, too, while the server is away.
    var summaryLine: String {
        let length = seconds < 60 ? "\(Decimal.text(seconds, decimals: 1)) s" : TimeParser.clock(seconds)
        var line = "\(Self.name(file)): \(length), \(ByteCountParser.text(bytes))"
        if let levels { line += ", peak \(Self.text(levels.peak))" }
        return line + ", \(faults.lostFrames + faults.interruptedFrames) frames lost"
    }

    /// A file's name in a message.
    static func name(_ path: FilePath) -> String { path == "-" ? "standard output" : "'\(path)'" }

    private static func text(_ level: Float) -> String {
        level > 0 ? "\(Decimal.text(Double(GainParser.decibels(level)), decimals: 1)) dB" : "-inf dB"
    }
}

extension JSONWriter {
    fileprivate mutating func field(_ name: String, decibels level: Float?) {
        key(name)
        value(decibels: level)
    }

    /// Writes a level in decibels. Silence, which has none, and a level that was not measured become `null`.
    fileprivate mutating func value(decibels level: Float?) {
        value(level.map { Double(GainParser.decibels($0)) } ?? .nan, decimals: 2)
    }
}
