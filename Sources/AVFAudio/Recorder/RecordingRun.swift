// SPDX-License-Identifier: MIT

import AQCodecs
import AQDevices
import AudioQueues
import AQSessions
import AudioToolbox
import CoreAudioTypes
import AQThreads

/// One recording: a new file, and the queue whose audio is written to it.
///
/// The queue's thread writes, and closes the file after the last buffer, so that no call waits for a disk for long. The
/// queue refers to this object and this object to the queue until the recording is over.
final class RecordingRun: Sendable {
    enum Ending: Sendable {
        /// The recording was stopped, or has the requested length.
        case complete
        /// The audio could not be encoded or written, or the file not be completed.
        case failed(any Error)
        /// The sound server or the device disappeared and did not return.
        case lost

        var isComplete: Bool {
            if case .complete = self { true } else { false }
        }
    }

    /// Short buffers for fresh levels, many for slow disks.
    private static let bufferCount = 80
    private static let bufferSeconds = 0.05
    /// The duration of audio that waits for a buffer before frames are lost, in seconds.
    private static let heldSeconds = 10.0
    private static let patienceNanoseconds: UInt64 = 2_000_000_000

    private struct Status {
        var queue: InputQueue?
        /// The number of frames in the file, and of those to write.
        var frames: Int64 = 0
        var limit = Int64.max
        var isStarted = false
        /// Whether the queue has failed before it was started.
        var hasFailed = false
        /// Whether the client has stopped the recording.
        var isEnding = false
        /// The number of buffers that were returned and not enqueued again.
        var idleBuffers = 0
        var isOver = false
        /// Whether the file is closed and the end was reported.
        var isReported = false
    }

    /// The format of the audio in the file.
    let fileFormat: AVAudioFormat
    private let samples: AVAudioFormat
    private let onEnd: @Sendable (RecordingRun, Ending) -> Void
    private let status = Monitor(Status())
    /// Locked while frames are written, which may take long.
    private let file: Monitor<RecordingFile>

    /// Creates the file.
    ///
    /// - Parameter onEnd: Called once after the file was closed, on the queue's thread, unless ``discard()`` ends the
    ///   recording.
    /// - Throws: As ``AVAudioFile/init(forWriting:settings:)``.
    init(_ request: FileRequest, onEnd: @escaping @Sendable (RecordingRun, Ending) -> Void) throws {
        samples = try RecordedSamples.format(for: request)
        let file = try RecordingFile(request, samples)
        fileFormat = file.fileFormat
        self.file = Monitor(file)
        self.onEnd = onEnd
    }

    /// The queue, until the recording is over.
    var queue: InputQueue? { status.withLock { $0.queue } }

    var isStarted: Bool { status.withLock { $0.isStarted } }

    // MARK: Control

    /// Makes the queue. The caller discards the recording if this throws.
    func prepare(on device: any InputDevice) throws(QueueError) {
        let format = samples.asbd
        // Encoders have an order of their own.
        let labels = samples.channelLayout.map {
            DecodedChannelOrder.labels($0.channels.labels, inPacketsOf: fileFormat.asbd)
        }
        let configuration = InputQueue.Configuration(
            heldSeconds: Self.heldSeconds, role: AudioSession.shared.settings.recordingRole,
            iconName: "audio-input-microphone")
        let queue = try InputQueue(
            format: format, channelLabels: labels, device: device, configuration: configuration
        ) { [self] queue, buffer, info in bufferFilled(buffer, info, of: queue) }
        status.withLock { $0.queue = queue }
        try queue.addListener(for: .failure) { [self] _ in queueFailed() }
        let frames = max(1, Int(format.mSampleRate * Self.bufferSeconds))
        for _ in 0..<Self.bufferCount {
            try queue.enqueue(queue.allocateBuffer(byteCapacity: frames * Int(format.mBytesPerFrame)))
        }
    }

    /// Starts or resumes, and waits until the device captures or has failed.
    ///
    /// - Parameters:
    ///   - hostTime: The time of the first frame of a recording that was not started before; nil for as soon as
    ///     possible.
    ///   - frames: The number of frames to record from now on; nil for no limit.
    func start(atHostTime hostTime: UInt64?, frames: Int64?) throws(QueueError) {
        setLimit(frames)
        guard let queue else { throw QueueError(.disposalPending) }
        if let hostTime { try queue.start(atHostTime: hostTime) } else { try queue.start() }
        try queue.awaitStart()
        let hasFailed = status.withLock { status in
            status.isStarted = !status.hasFailed
            return status.hasFailed
        }
        if hasFailed { throw queue.failure ?? QueueError(.cannotStart) }
    }

    /// Ends the recording after a number of frames from now on; nil for no limit.
    func setLimit(_ frames: Int64?) {
        let captured = capturedFrames
        status.withLock { $0.limit = frames.map { captured + $0 } ?? .max }
    }

    /// Pauses. The frames captured before are kept.
    func pause() {
        // This fails only for a queue that was disposed of.
        try? queue?.pause()
    }

    /// Ends the recording with all frames captured until now. When it returns, the file is closed, unless the disk
    /// takes longer than some seconds.
    func stop() {
        let queue = status.withLock { status in
            status.isEnding = true
            return status.queue
        }
        // A queue that has failed reports it itself.
        try? queue?.stop(immediate: true)
        // A stop in a callback of another queue does not wait for this one's callbacks.
        _ = status.wait(until: AudioGetCurrentHostTime() + Self.patienceNanoseconds) { !$0.isReported }
    }

    /// Closes the file of a recording that was not started, and reports nothing.
    func discard() {
        if close() != nil { markReported() }
    }

    /// Ends a recording that cannot be resumed.
    func abandon() { end(.lost) }

    /// The number of frames captured until now, including silence for lost ones.
    var capturedFrames: Int64 {
        let (queue, frames, limit) = status.withLock { ($0.queue, $0.frames, $0.limit) }
        // Before the device captures, there is no time.
        guard let time = try? queue?.currentTime(), time.sampleTime.isFinite else { return frames }
        return min(max(frames, Int64(max(0, time.sampleTime.rounded()))), limit)
    }

    // MARK: Buffers

    private func bufferFilled(_ buffer: QueueBuffer, _ info: InputBufferInfo, of queue: InputQueue) {
        if let ending = write(buffer, info) { return end(ending) }
        if !status.withLock({ $0.isEnding || $0.isOver }) {
            do throws(QueueError) {
                try queue.enqueue(buffer)
                return
            } catch {
                // The queue is being stopped.
            }
        }
        let isLast = status.withLock { status in
            status.idleBuffers += 1
            return status.isEnding && status.idleBuffers == Self.bufferCount
        }
        if isLast { end(.complete) }
    }

    /// Writes captured frames, up to the requested length.
    ///
    /// - Returns: The end of the recording, if it is reached.
    private func write(_ buffer: QueueBuffer, _ info: InputBufferInfo) -> Ending? {
        let (limit, isOver) = status.withLock { ($0.limit, $0.isOver) }
        guard !isOver else { return nil }
        do {
            let frames = try file.withLock { (file: inout RecordingFile) throws -> Int64 in
                try file.appendSilence(frames: min(info.lostFramesBefore, max(0, limit - file.frames)))
                let captured = Int64(buffer.byteCount / Int(samples.asbd.mBytesPerFrame))
                let wanted = min(captured, max(0, limit - file.frames))
                if AudioSession.shared.settings.isInputMuted { unsafe buffer.bytes.silence() }
                try unsafe file.append(buffer.bytes, frames: wanted)
                return file.frames
            }
            status.withLock { $0.frames = frames }
            return frames >= limit ? .complete : nil
        } catch {
            return .failed(error)
        }
    }

    // MARK: The end

    /// Leaves a failure of the start to the call that starts.
    private func queueFailed() {
        let isStarted = status.withLock { status in
            if !status.isStarted { status.hasFailed = true }
            return status.isStarted
        }
        if isStarted { end(.lost) }
    }

    private func end(_ ending: Ending) {
        guard let closing = close() else { return }
        if ending.isComplete, case .failure(let error) = closing {
            onEnd(self, .failed(error))
        } else {
            onEnd(self, ending)
        }
        markReported()
    }

    private func markReported() {
        status.withLock { $0.isReported = true }
        status.notifyAll()
    }

    /// Closes the file and ends the queue.
    ///
    /// - Returns: The result of completing the file; nil if the recording was over before.
    private func close() -> Result<Void, any Error>? {
        let (wasOver, queue) = status.withLock { status in
            defer { (status.isOver, status.queue) = (true, nil) }
            return (status.isOver, status.queue)
        }
        guard !wasOver else { return nil }
        let closing = file.withLock { file in Result { try file.close() } }
        // This fails only in a forked child, where nothing is recorded.
        try? queue?.dispose(immediate: true)
        return closing
    }
}

extension UnsafeMutableRawBufferPointer {
    /// Replaces samples, which are signed or floating-point, by silence.
    fileprivate func silence() {
        guard let start = baseAddress else { return }
        unsafe start.initializeMemory(as: UInt8.self, repeating: 0, count: count)
    }
}
