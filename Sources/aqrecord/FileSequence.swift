// SPDX-License-Identifier: MIT

import AQFiles
import CoreAudioTypes
import Glibc
import AQToolSupport

/// Writes a recording into a file, and into the next one when the next one is due, without losing or repeating a frame.
///
/// Used by one thread at a time.
final class FileSequence {
    private let plan: Plan
    private let bytesPerFrame: Int
    private let onWarning: (String) -> Void
    private let onFileEnd: (FileReport) -> Void

    private var names: FileNames
    private var writer: RecordingFile?
    private var report: FileReport
    private var isFirst = true
    /// The current file, if this recording created it.
    private var newFile: FileIdentity?
    /// The largest number of frames in the current file.
    private var frameLimit = Int64.max
    /// Whether the limit is the container's own.
    private var isLimitOfContainer = false
    /// The faults before the current file.
    private var faultsBefore = FileReport.Faults()

    /// The faults of the whole recording.
    var faults = FileReport.Faults()
    /// The number of frames written to all files.
    private(set) var totalFrames: Int64 = 0
    /// The number of clipped samples in all files.
    private(set) var clippedSamples: Int64 = 0

    /// - Parameters:
    ///   - onWarning: Called with warnings.
    ///   - onFileEnd: Called after each file was closed, unless the file is empty.
    init(
        _ plan: Plan, onWarning: @escaping (String) -> Void, onFileEnd: @escaping (FileReport) -> Void
    ) {
        self.plan = plan
        self.onWarning = onWarning
        self.onFileEnd = onFileEnd
        bytesPerFrame = Int(plan.format.mBytesPerFrame)
        names = FileNames(path: plan.target.path, numbersFirst: plan.split != nil)
        var coming = names
        report = FileSequence.emptyReport(
            plan, path: plan.target.isStandardOutput ? plan.target.path : coming.next())
    }

    /// The path of the current file, of the last one after its end, or of the first one before the start; and its size.
    var path: FilePath { report.file }
    var byteCount: Int64 { writer?.byteCount ?? report.bytes }
    /// The number of frames in the current file.
    var fileFrames: Int64 { report.frames }
    /// The name of the current file for mixers.
    var streamName: String {
        plan.target.isStandardOutput
            ? "standard output" : DisplayText.sanitized(path.name.description)
    }

    /// Creates the first file before the first frame arrives, so that a failure is reported early.
    ///
    /// A file that will be overwritten remains until the first frame.
    func begin() throws(AudioFileError) {
        guard isFirst else { return }
        let isForLater =
            plan.overwrites && !plan.target.isStandardOutput && FileIdentity(path: path) != nil
        if !isForLater { try openNext() }
    }

    /// Appends whole frames.
    ///
    /// - Parameter hostTime: The time when the first of these frames was captured, in nanoseconds of CLOCK_MONOTONIC.
    /// - Throws: ``AudioFileError`` if a file cannot be created or written. The written part is kept; the file is
    ///   closed and reported.
    func append(_ bytes: UnsafeRawBufferPointer, hostTime: UInt64) throws(AudioFileError) {
        var written = 0
        while written < bytes.count {
            if writer == nil { try openNext() }
            let room = frameLimit - report.frames
            let framesLeft = (bytes.count - written) / bytesPerFrame
            let piece = unsafe UnsafeRawBufferPointer(
                rebasing: bytes[written..<written + Int(min(room, Int64(framesLeft))) * bytesPerFrame])
            let time = hostTime &+ hostDuration(frames: written / bytesPerFrame)
            let kept = try unsafe write(piece, hostTime: time)
            written += kept
            if kept < piece.count || report.frames >= frameLimit {
                try endFile(because: kept < piece.count || isLimitOfContainer ? .containerFull : .split)
            } else if case .bytes(let limit) = plan.split, byteCount >= limit {
                // The size of an encoder's file is known only afterwards.
                try endFile(because: .split)
            }
        }
    }

    /// Ends the current file. The next frames are written into another file.
    ///
    /// - Throws: ``AudioFileError`` if the rest of the file cannot be written.
    func endFile(because ending: FileReport.Ending) throws(AudioFileError) {
        guard let writer else { return }
        do throws(AudioFileError) {
            try writer.close()
        } catch {
            fail(error)
            throw error
        }
        finish(ending, error: nil)
    }

    /// Returns the duration of `frames` in nanoseconds.
    func hostDuration(frames: Int) -> UInt64 {
        UInt64((Double(frames) / plan.format.mSampleRate * 1e9).rounded())
    }

    // MARK: One file

    /// - Returns: The number of bytes written: all of them, unless the container is full.
    private func write(_ piece: UnsafeRawBufferPointer, hostTime: UInt64) throws(AudioFileError) -> Int {
        guard let writer, unsafe !piece.isEmpty else { return 0 }
        if report.firstFrameHostTime == nil {
            report.firstFrameHostTime = hostTime
            report.firstFrameWallTime = WallClock.time(atHostTime: hostTime)
        }
        do throws(AudioFileError) {
            try unsafe writer.append(piece)
            unsafe add(piece)
            return piece.count
        } catch {
            let keptFrames = min(
                max(0, writer.frameCount - report.frames), Int64(piece.count / bytesPerFrame))
            let kept = Int(keptFrames) * bytesPerFrame
            unsafe add(UnsafeRawBufferPointer(rebasing: piece[..<kept]))
            // A full container with frames is not an error: the next file follows.
            if error.code == .containerFull, report.frames > 0, !plan.target.isStandardOutput { return kept }
            fail(error)
            throw error
        }
    }

    private func add(_ piece: UnsafeRawBufferPointer) {
        report.frames += Int64(piece.count / bytesPerFrame)
        totalFrames += Int64(piece.count / bytesPerFrame)
        guard let scanner = plan.scanner, var levels = report.levels else { return }
        let clippedBefore = levels.clippedSamples
        // The report must not share these values: they would be copied for each change.
        report.levels = nil
        unsafe scanner.measure(piece, into: &levels)
        clippedSamples += levels.clippedSamples - clippedBefore
        report.levels = levels
    }

    private func openNext() throws(AudioFileError) {
        let previous = report
        var created: RecordingFile?
        var path: FilePath = ""
        var skipped: FilePath?
        var isNew = false
        // An existing later file is kept; the recording continues with the next free number.
        repeat {
            path = plan.target.isStandardOutput ? plan.target.path : names.next()
            isNew = regularFile(path) == nil
            do throws(AudioFileError) {
                try refuseSource(path)
                created = try RecordingFile(path: path, plan)
            } catch {
                guard error.code == .exists, !isFirst else { throw error }
                skipped = skipped ?? path
            }
        } while created == nil
        guard let created else { return }
        if let skipped { onWarning("'\(skipped)' exists already; continuing in '\(path)'") }
        if !isFirst, previous.ending == .containerFull {
            onWarning(
                "\(FileReport.name(previous.file)) is full: \(plan.target.type.name) files cannot exceed "
                    + "\(previous.frames) frames of this format; continuing in '\(path)'")
        }
        writer = created
        newFile = isNew ? regularFile(path) : nil
        isFirst = false
        report = FileSequence.emptyReport(plan, path: path)
        report.format = created.format.summary
        setLimit(of: created)
    }

    private func refuseSource(_ path: FilePath) throws(AudioFileError) {
        guard let source = plan.source, FileIdentity(path: path) == source else { return }
        throw AudioFileError(
            .exists, "cannot create \(FileReport.name(path)): \(RecordingTarget.sourceReason)")
    }

    private func setLimit(of writer: RecordingFile) {
        let containerLimit = writer.maximumFrameCount ?? .max
        var splitLimit = Int64.max
        switch plan.split {
        case nil: break
        case .seconds(let seconds): splitLimit = max(1, Int64((seconds * plan.format.mSampleRate).rounded()))
        case .bytes(let bytes) where !plan.isEncoded:
            // A container may add padding after its data.
            splitLimit = max(1, (bytes - writer.byteCount - 8) / Int64(bytesPerFrame))
        case .bytes: break
        }
        frameLimit = min(containerLimit, splitLimit)
        isLimitOfContainer = containerLimit < splitLimit
    }

    private func fail(_ error: AudioFileError) {
        // The file is closed as far as possible. It has already reported its error.
        try? writer?.close()
        countWholeFrames()
        finish(.error, error: error.message)
    }

    /// Sets the report's frames to those in the file after a failure, which are fewer than the encoder received.
    ///
    /// The levels stay those of all input, because the missing part cannot be subtracted.
    private func countWholeFrames() {
        guard let writer else { return }
        totalFrames += writer.frameCount - report.frames
        report.frames = writer.frameCount
    }

    private func finish(_ ending: FileReport.Ending, error: String?) {
        guard let writer else { return }
        report.bytes = writer.byteCount
        report.faults = faults - faultsBefore
        faultsBefore = faults
        report.ending = ending
        report.error = error
        self.writer = nil
        if report.frames > 0 {
            onFileEnd(report)
        } else {
            removeEmptyFile()
        }
    }

    /// Removes an empty file, unless it existed before the recording.
    private func removeEmptyFile() {
        guard let newFile, regularFile(report.file) == newFile else { return }
        // SAFETY: unlink reads a string that outlives the call.
        unsafe _ = unlink(report.file.cString)
    }

    /// Returns the regular file at a path; nil for a link, a device, or standard output.
    private func regularFile(_ path: FilePath) -> FileIdentity? {
        plan.target.isStandardOutput ? nil : FileIdentity(path: path, followsLinks: false)
    }

    private static func emptyReport(_ plan: Plan, path: FilePath) -> FileReport {
        FileReport(
            file: path, container: plan.target.type.name, format: plan.format.summary,
            sampleRate: plan.format.mSampleRate, channels: Int(plan.format.mChannelsPerFrame),
            levels: plan.scanner.map { LevelTotals(channels: $0.channels) })
    }
}
