// SPDX-License-Identifier: MIT

import AQFiles
import AudioQueues
import Synchronization
import AQToolSupport

/// Takes a queue's filled buffers, writes the recorded frames, and enqueues the buffers again, on the queue's callback
/// thread.
///
/// The main thread requests the end or the next file. It never waits for the callback thread, because a write may block
/// for ever.
final class Intake: @unchecked Sendable {
    // SAFETY: all variable state is atomic, or used only by the queue's callbacks, which run one at a time.

    /// The status for the main thread.
    struct Status {
        /// The number of frames in all files, and in the current one.
        var frames: Int64 = 0
        var fileFrames: Int64 = 0
        var byteCount: Int64 = 0
        var clippedSamples: Int64 = 0
        /// The free space of the disk in bytes; nil if it is not requested.
        var diskBytes: Int64?
        /// Whether the recording waits for a loud frame.
        var isWaitingForSound = false
        var path: FilePath = ""
    }

    private let files: FileSequence
    private let outbox: Outbox
    private let format: RecordingFormat
    private let bufferCount: Int
    private let watchesDisk: Bool
    private var gate: LevelGate
    private var preRoll: PreRoll
    private var framesLeft: Int64
    private let sourceEnd: SourceChoice.End?
    private var capturedFrames: Int64 = 0
    private var isDone = false
    /// The number of buffers that were returned and not enqueued again.
    private var idleBuffers = 0
    /// The file whose name the queue has.
    private var shownPath: FilePath
    private var faults = FileReport.Faults()
    private let status: Mutex<Status>

    /// The index of an ending in `endings`, plus one; 0 during the recording.
    private let requestedEnding = Atomic<Int>(0)
    /// The host time of the frame that begins the next file; 0 for none.
    private let cutTime = Atomic<UInt64>(0)

    /// - Parameters:
    ///   - length: The number of frames after which the recording ends; nil for no end.
    ///   - sourceEnd: Returns the frame at which the source, and with it the recording, has ended.
    ///   - bufferCount: The number of the queue's buffers.
    ///   - watchesDisk: Whether the free space of the disk is checked periodically. The callback thread checks it,
    ///     because the query may block.
    init(
        files: FileSequence, format: RecordingFormat, gate: LevelGate, preRollFrames: Int, length: Int64?,
        sourceEnd: SourceChoice.End? = nil, bufferCount: Int, watchesDisk: Bool = false, outbox: Outbox
    ) {
        self.watchesDisk = watchesDisk
        self.files = files
        shownPath = files.path
        self.format = format
        self.gate = gate
        self.bufferCount = bufferCount
        self.outbox = outbox
        preRoll = PreRoll(byteCapacity: gate.isOpen ? 0 : preRollFrames * format.bytesPerFrame)
        framesLeft = length ?? .max
        self.sourceEnd = sourceEnd
        status = Mutex(Status(isWaitingForSound: !gate.isOpen, path: files.path))
    }

    // MARK: Calls by the main thread

    var currentStatus: Status { status.withLock { $0 } }

    /// Ends the recording after all buffers have been returned. Call it before the queue is stopped.
    func requestEnd(_ ending: FileReport.Ending) {
        let value = Self.endings.firstIndex(of: ending).map { $0 + 1 } ?? 1
        _ = requestedEnding.compareExchange(expected: 0, desired: value, ordering: .relaxed)
    }

    /// Begins the next file with the frames captured from `hostTime` on.
    func requestNextFile(atHostTime hostTime: UInt64) { cutTime.store(hostTime, ordering: .relaxed) }

    /// The name of the first file for mixers. Read it before the queue is started.
    var streamName: String { files.streamName }

    // MARK: Calls by the queue

    /// Handles the start of the device. Creates the file before the first frame arrives, so that a failure to create it
    /// is reported early. An existing file is replaced only at the first frame.
    func queueStarted() {
        guard !isDone else { return }
        do throws(AudioFileError) {
            try files.begin()
            shareStatus()
        } catch {
            end(.error, error: error.message)
        }
    }

    /// Handles a queue that has stopped by itself, after it returned its buffers.
    func queueFailed() { end(ending ?? .deviceLost) }

    /// Handles a returned buffer.
    func bufferFilled(_ buffer: QueueBuffer, _ info: InputBufferInfo, of queue: InputQueue) {
        if !isDone {
            faults.interruptions = queue.interruptionCount
            faults.interruptedFrames = queue.interruptedFrameCount
            faults.holeFrames = queue.holeFrameCount
            let bytes = unsafe UnsafeRawBufferPointer(rebasing: buffer.bytes[..<buffer.byteCount])
            unsafe take(bytes, info)
            if files.path != shownPath {
                shownPath = files.path
                queue.name = files.streamName
            }
        }
        if !isDone, ending == nil {
            do throws(QueueError) {
                try queue.enqueue(buffer)
                return
            } catch {
                // The only possible error: the queue is being stopped.
            }
        }
        idleBuffers += 1
        guard !isDone, let ending, idleBuffers == bufferCount else { return }
        // Frames that were lost after the last buffer are counted now, because no later buffer reports them.
        faults.overruns = max(faults.overruns, queue.overrunCount)
        faults.lostFrames = max(faults.lostFrames, queue.lostFrameCount)
        end(ending)
    }

    /// Records the captured frames that pass the gate.
    func take(_ bytes: UnsafeRawBufferPointer, _ info: InputBufferInfo) {
        guard !isDone else { return }
        do throws(AudioFileError) {
            if info.lostFramesBefore > 0 { try replace(lostFrames: info.lostFramesBefore, before: info) }
            let frames = Int64(bytes.count / format.bytesPerFrame)
            let wanted = max(0, min(frames, (sourceEnd?() ?? .max) - capturedFrames))
            capturedFrames += frames
            if wanted > 0 {
                let bytes = unsafe UnsafeRawBufferPointer(
                    rebasing: bytes[..<(Int(wanted) * format.bytesPerFrame)])
                try unsafe pass(bytes, hostTime: info.hostTime)
            }
            shareStatus()
            if wanted < frames { end(.length) }
        } catch {
            end(.error, error: error.message)
        }
    }

    // MARK: Writing

    private func pass(_ bytes: UnsafeRawBufferPointer, hostTime: UInt64) throws(AudioFileError) {
        guard let scanner = format.scanner, !gate.isAlwaysOpen else {
            try unsafe write(bytes, hostTime: hostTime)
            return
        }
        let passage = unsafe gate.pass(bytes, scanner)
        let start = passage.frames.lowerBound * format.bytesPerFrame
        if passage.preRollFrames > 0 {
            let before = preRoll.take(passage.preRollFrames * format.bytesPerFrame)
            let time = hostTime &- files.hostDuration(frames: before.count / format.bytesPerFrame)
            try unsafe before.withUnsafeBufferPointer { (before) throws(AudioFileError) in
                try unsafe write(UnsafeRawBufferPointer(before), hostTime: time)
            }
        }
        if !gate.isOpen { unsafe preRoll.append(bytes) }
        if !passage.frames.isEmpty {
            let end = passage.frames.upperBound * format.bytesPerFrame
            let time = hostTime &+ files.hostDuration(frames: passage.frames.lowerBound)
            try unsafe write(UnsafeRawBufferPointer(rebasing: bytes[start..<end]), hostTime: time)
        }
        if passage.isEnd, !isDone { end(.silence) }
    }

    /// Writes frames, up to the requested length. From a requested frame on, they are written into the next file.
    private func write(_ bytes: UnsafeRawBufferPointer, hostTime: UInt64) throws(AudioFileError) {
        let frames = min(framesLeft, Int64(bytes.count / format.bytesPerFrame))
        guard frames > 0, !isDone else { return }
        let wanted = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<(Int(frames) * format.bytesPerFrame)])
        files.faults = faults
        let cut = cutTime.load(ordering: .relaxed)
        if cut != 0, files.totalFrames > 0, cut < hostTime &+ files.hostDuration(frames: Int(frames)) {
            let seconds = cut > hostTime ? Double(cut - hostTime) / 1e9 : 0
            let before = min(Int(frames), Int(seconds * format.sampleRate)) * format.bytesPerFrame
            try unsafe files.append(UnsafeRawBufferPointer(rebasing: wanted[..<before]), hostTime: hostTime)
            try files.endFile(because: .nextFile)
            let time = hostTime &+ files.hostDuration(frames: before / format.bytesPerFrame)
            try unsafe files.append(UnsafeRawBufferPointer(rebasing: wanted[before...]), hostTime: time)
            _ = cutTime.compareExchange(expected: cut, desired: 0, ordering: .relaxed)
        } else {
            // If nothing was written, the first file is the next one.
            if files.totalFrames == 0 { cutTime.store(0, ordering: .relaxed) }
            try unsafe files.append(wanted, hostTime: hostTime)
        }
        framesLeft -= frames
        if framesLeft == 0 { end(.length) }
    }

    /// Writes silence instead of lost frames, so that the following audio keeps its position.
    private func replace(lostFrames: Int64, before info: InputBufferInfo) throws(AudioFileError) {
        faults.overruns += 1
        faults.lostFrames += lostFrames
        outbox.post(.warning(format.lossMessage(lostFrames, atFrame: info.sampleTime - Double(lostFrames))))
        let block = format.silence(frames: 4096)
        var left = lostFrames
        while left > 0, !isDone {
            let frames = min(left, 4096)
            let time = info.hostTime &- files.hostDuration(frames: Int(left))
            try unsafe block.withUnsafeBufferPointer { (block) throws(AudioFileError) in
                let bytes = unsafe UnsafeRawBufferPointer(block)[..<(Int(frames) * format.bytesPerFrame)]
                try unsafe pass(UnsafeRawBufferPointer(rebasing: bytes), hostTime: time)
            }
            left -= frames
        }
    }

    // MARK: The end

    private static let endings: [FileReport.Ending] = [.signal, .key, .deviceLost]

    private var ending: FileReport.Ending? {
        let value = requestedEnding.load(ordering: .relaxed)
        return value == 0 ? nil : Self.endings[value - 1]
    }

    private func end(_ ending: FileReport.Ending, error: String? = nil) {
        guard !isDone else { return }
        isDone = true
        files.faults = faults
        var (ending, problem) = (ending, error)
        if problem == nil {
            do throws(AudioFileError) {
                try files.endFile(because: ending)
            } catch {
                (ending, problem) = (.error, error.message)
            }
        }
        shareStatus()
        outbox.post(
            .ended(
                RecordingEnd(
                    ending: ending, error: problem, totalFrames: files.totalFrames,
                    lostFrames: faults.lostFrames, interruptedFrames: faults.interruptedFrames)))
    }

    private func shareStatus() {
        let current = Status(
            frames: files.totalFrames, fileFrames: files.fileFrames, byteCount: files.byteCount,
            clippedSamples: files.clippedSamples,
            diskBytes: watchesDisk ? DiskSpace.availableBytes(forFile: files.path) : nil,
            isWaitingForSound: !gate.isOpen, path: files.path)
        status.withLock { $0 = current }
    }
}
