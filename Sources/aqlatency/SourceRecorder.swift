// SPDX-License-Identifier: MIT

import AQDevices
import AudioQueues
import CoreAudioTypes
import Glibc
import Synchronization
import AQToolSupport

/// Records a source into memory, with the times of its frames.
final class SourceRecorder: Sendable {
    private struct State {
        var audio: CapturedAudio
        /// The queue's frame number of the first recorded frame.
        var base: Double?
        /// The largest sample.
        var peak: Float = 0
    }

    private let queue: InputQueue
    private let store: Store

    /// The number of frames that were recorded since ``restart()``.
    var frames: Int { store.state.withLock { $0.audio.frames } }
    /// The largest sample that was recorded since ``restart()``.
    var peak: Float { store.state.withLock { $0.peak } }
    var failure: QueueError? { queue.failure }
    var granted: GrantedLatency? { queue.granted }

    /// Starts to record.
    ///
    /// - Parameters:
    ///   - channels: The channels to record; 1 is the mean of the source's.
    ///   - fragmentSeconds: The length of the pieces that the server delivers. With a long one, the stream that plays
    ///     determines the period of a monitor's sink.
    ///   - bufferSeconds: The length of the queue's buffers, for each of which there is a time.
    ///   - capacitySeconds: The longest recording.
    /// - Throws: ``QueueError``.
    init(
        _ source: PulseSource, sampleRate: Double, channels: Int, fragmentSeconds: Double,
        bufferSeconds: Double = 0.01, capacitySeconds: Double
    ) throws(QueueError) {
        let store = Store(
            CapturedAudio(sampleRate: sampleRate, channels: channels),
            capacity: Int(capacitySeconds * sampleRate))
        self.store = store
        queue = try InputQueue(
            format: .float(channels: channels, sampleRate: sampleRate), device: source,
            configuration: InputQueue.Configuration(
                recoverySeconds: 1, heldSeconds: 2, name: "latency measurement", role: .production,
                fragmentSeconds: fragmentSeconds)
        ) { queue, buffer, info in
            store.append(buffer, info)
            try? queue.enqueue(buffer)  // refused while the queue stops
        }
        let frames = max(1, Int((bufferSeconds * sampleRate).rounded()))
        for _ in 0..<200 {
            try queue.enqueue(queue.allocateBuffer(byteCapacity: frames * channels * 4))
        }
        try queue.start()
    }

    /// Drops the recording so far.
    func restart() { store.restart() }

    /// Returns the recording since ``restart()``.
    func audio() -> CapturedAudio { store.state.withLock { $0.audio } }

    func end() {
        // A queue that has failed has stopped already.
        try? queue.dispose(immediate: true)
    }

    /// The recording, which the queue's callback thread extends.
    private final class Store: Sendable {
        let state: Mutex<State>
        private let capacity: Int

        init(_ audio: CapturedAudio, capacity: Int) {
            self.capacity = capacity
            state = Mutex(State(audio: audio))
        }

        func restart() {
            state.withLock { state in
                state.audio.samples = []
                state.audio.marks = []
                state.audio.lostFrames = 0
                (state.base, state.peak) = (nil, 0)
            }
        }

        func append(_ buffer: QueueBuffer, _ info: InputBufferInfo) {
            let entry = MonotonicClock.seconds * 1e9
            state.withLock { state in
                let channels = state.audio.channels
                let frames = buffer.byteCount / 4 / channels
                guard frames > 0 else { return }
                let base = state.base ?? info.sampleTime
                state.base = base
                let start = Int(info.sampleTime - base)
                // Lost frames are replaced by silence, so that later frames keep their numbers.
                let missing = start - state.audio.frames
                guard missing >= 0, start + frames <= capacity else { return }
                if missing > 0 {
                    state.audio.samples += [Float](repeating: 0, count: missing * channels)
                    state.audio.lostFrames += missing
                }
                state.audio.marks.append(
                    .init(
                        frame: start, captureNanoseconds: Double(info.hostTime), callbackNanoseconds: entry))
                let samples = unsafe buffer.bytes.bindMemory(to: Float.self)
                for index in 0..<frames * channels {
                    let sample = unsafe samples[index]
                    if abs(sample) > state.peak { state.peak = abs(sample) }
                    state.audio.samples.append(sample.isFinite ? sample : 0)
                }
            }
        }
    }
}
