// SPDX-License-Identifier: MIT

import CAQRealTime

/// Captured frames that wait for a segment, in order: audio up to a limit, and silence as a length only.
///
/// If the audio exceeds the limit, the oldest is lost. Silence uses no memory, and is lost only if it alternates with
/// audio too often. Allocates only when created.
@safe final class HeldFrames: @unchecked Sendable {
    // SAFETY: the memory belongs to this object and is used only with the stream's lock held.

    /// Consecutive frames that are all audio or all silence.
    private struct Run {
        var isSilence: Bool
        var frames: Int
        /// The time at which the first frame was captured.
        var hostTime: UInt64
        /// The number of frames lost directly before this run.
        var lostBefore = 0
    }

    /// The maximum number of runs. Audio and silence alternate only at interruptions and pauses. If the client enqueues
    /// no segment for a long time and there are more runs, the oldest run is lost.
    private static let runCapacity = 64
    /// The largest deviation from its expected time at which a frame still continues the current run.
    private static let toleranceNanoseconds: UInt64 = 5_000_000

    // REAL-TIME: a reference loaded from a field is retained in debug builds; an unmanaged one is not.
    private let fillerReference: Unmanaged<SegmentFiller>
    private let bytesPerFrame: Int
    private let nanosecondsPerFrame: Double
    private let capacityFrames: Int
    private let memory: UnsafeMutableRawPointer
    /// The index of the oldest frame of audio in `memory`.
    private var firstFrame = 0
    private var audioFrames = 0
    private let runs: UnsafeMutablePointer<Run>
    private var firstRun = 0
    private var runCount = 0
    /// All waiting frames, including those that will be counted as lost.
    private(set) var frames = 0

    init(format: SampleFormat, capacityFrames: Int, filler: SegmentFiller) {
        unsafe fillerReference = .passUnretained(filler)
        bytesPerFrame = format.bytesPerFrame
        nanosecondsPerFrame = 1e9 / format.sampleRate
        self.capacityFrames = capacityFrames
        unsafe memory = .allocate(byteCount: max(1, capacityFrames * format.bytesPerFrame), alignment: 64)
        unsafe runs = .allocate(capacity: HeldFrames.runCapacity)
        unsafe runs.initialize(
            repeating: Run(isSilence: true, frames: 0, hostTime: 0), count: HeldFrames.runCapacity)
    }

    deinit {
        unsafe memory.deallocate()
        unsafe runs.deallocate()
    }

    var isEmpty: Bool { @_noLocks get { runCount == 0 } }

    /// Keeps frames of audio, and reports lost frames to the filler.
    @_noLocks func append(_ data: UnsafeRawPointer, frames count: Int, hostTime: UInt64) {
        guard count > 0 else { return }
        let kept = min(count, capacityFrames)
        let skipped = count - kept
        dropOldest(max(0, audioFrames + kept - capacityFrames))
        if skipped > 0 {
            if isEmpty {
                lose(skipped)
            } else {
                let last = openRun(isSilence: false, hostTime: hostTime)
                unsafe runs[last].lostBefore += skipped
                frames += skipped
            }
        }
        guard kept > 0 else { return }
        let keptTime = hostTime &+ nanoseconds(skipped)
        let last = openRun(isSilence: false, hostTime: keptTime)
        if unsafe runs[last].frames == 0 { unsafe runs[last].hostTime = keptTime }
        unsafe runs[last].frames += kept
        let source = unsafe data + skipped * bytesPerFrame
        let start = (firstFrame + audioFrames) % capacityFrames
        let whole = min(kept, capacityFrames - start)
        unsafe aq_copy(memory + start * bytesPerFrame, source, whole * bytesPerFrame)
        unsafe aq_copy(memory, source + whole * bytesPerFrame, (kept - whole) * bytesPerFrame)
        audioFrames += kept
        frames += kept
    }

    /// Keeps a number of silent frames.
    @_noLocks func appendSilence(frames count: Int, hostTime: UInt64) {
        guard count > 0 else { return }
        let last = openRun(isSilence: true, hostTime: hostTime)
        unsafe runs[last].frames += count
        frames += count
    }

    /// Moves frames into segments as long as there is room.
    @_noLocks func drain() {
        while runCount > 0 {
            reportLoss()
            let run = unsafe runs[firstRun]
            guard run.frames > 0 else {
                popRun()
                continue
            }
            var data: UnsafeRawPointer?
            var wanted = run.frames
            if !run.isSilence {
                unsafe data = UnsafeRawPointer(memory + firstFrame * bytesPerFrame)
                wanted = min(wanted, capacityFrames - firstFrame)
            }
            let done = unsafe fillerReference._withUnsafeGuaranteedRef {
                unsafe $0.fill(data, frames: wanted, hostTime: run.hostTime)
            }
            shorten(firstRun, by: done)
            if done < wanted { return }
        }
    }

    /// Drops the waiting frames because the stream ends. They are not counted as lost, but losses before them are.
    @_noLocks func discard() {
        for position in 0..<runCount {
            lose(unsafe runs[(firstRun + position) % HeldFrames.runCapacity].lostBefore)
        }
        firstFrame = 0
        audioFrames = 0
        runCount = 0
        frames = 0
    }

    // MARK: Private

    @_noLocks private func lose(_ frames: Int) {
        unsafe fillerReference._withUnsafeGuaranteedRef { $0.lose(frames: frames) }
    }

    @_noLocks private func nanoseconds(_ frames: Int) -> UInt64 {
        UInt64(Double(frames) * nanosecondsPerFrame)
    }

    /// The index of the newest run, or of a new run if the newest cannot be continued.
    @_noLocks private func openRun(isSilence: Bool, hostTime: UInt64) -> Int {
        if runCount > 0 {
            let last = (firstRun + runCount - 1) % HeldFrames.runCapacity
            let run = unsafe runs[last]
            if run.isSilence == isSilence {
                let expected = run.hostTime &+ nanoseconds(run.frames)
                let distance = max(expected, hostTime) - min(expected, hostTime)
                if run.frames == 0 { return last }
                if distance < HeldFrames.toleranceNanoseconds { return last }
            }
        }
        if runCount == HeldFrames.runCapacity {
            reportLoss()
            let oldest = unsafe runs[firstRun].frames
            shorten(firstRun, by: oldest)
            lose(oldest)
            popRun()
        }
        let new = (firstRun + runCount) % HeldFrames.runCapacity
        unsafe runs[new] = Run(isSilence: isSilence, frames: 0, hostTime: hostTime)
        runCount += 1
        return new
    }

    /// Drops the oldest `count` frames of audio. Frames dropped behind silence are reported as lost after the silence
    /// is delivered, because the gap in the timeline follows the silence.
    @_noLocks private func dropOldest(_ count: Int) {
        var left = count
        var position = 0
        while left > 0 {
            if position >= runCount { break }
            let index = (firstRun + position) % HeldFrames.runCapacity
            let run = unsafe runs[index]
            let dropped = run.isSilence ? 0 : min(left, run.frames)
            if dropped > 0 {
                shorten(index, by: dropped)
                left -= dropped
                unsafe runs[index].lostBefore += dropped
                frames += dropped
            }
            position += 1
        }
        while runCount > 0 {
            reportLoss()
            guard unsafe runs[firstRun].frames == 0 else { return }
            popRun()
        }
    }

    /// Reports the frames lost before the oldest run, whose turn has come.
    @_noLocks private func reportLoss() {
        let lost = unsafe runs[firstRun].lostBefore
        guard lost > 0 else { return }
        unsafe runs[firstRun].lostBefore = 0
        frames -= lost
        lose(lost)
    }

    /// Removes the first `count` frames of a run. In a run of audio, they must be the oldest frames in memory.
    @_noLocks private func shorten(_ index: Int, by count: Int) {
        unsafe runs[index].frames -= count
        unsafe runs[index].hostTime &+= nanoseconds(count)
        frames -= count
        guard unsafe !runs[index].isSilence, count > 0 else { return }
        firstFrame = (firstFrame + count) % capacityFrames
        audioFrames -= count
    }

    @_noLocks private func popRun() {
        firstRun = (firstRun + 1) % HeldFrames.runCapacity
        runCount -= 1
    }
}
