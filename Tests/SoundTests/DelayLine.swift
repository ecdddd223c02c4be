// SPDX-License-Identifier: MIT

import AQDevices
import AudioQueues
import CoreAudioTypes
import AQSoundHarness
import Synchronization

/// A virtual cable: plays what a sink's monitor delivers on another sink, after a delay that can be extended.
final class DelayLine: Sendable {
    static let sampleRate = 48_000.0
    private static let blockFrames = 480
    /// The distance between the newest recorded frame and the next played one, more than the output requests at once.
    private static let cushionFrames = 4_800

    private struct State {
        /// All recorded frames.
        var samples: [Float] = []
        /// The first frame of each recorded buffer, and the time when it was audible on the first sink.
        var marks: [(frame: Int, nanoseconds: Double)] = []
        /// The recorded frame that is played as frame 0; nil before the start.
        var origin: Int?
        var playedFrames = 0
        var addedFrames = 0
    }

    private let state = Mutex(State())
    private let input: InputQueue
    private let output: OutputQueue

    /// Starts the cable, and returns once it plays.
    init(from source: String, to sink: String, on server: PulseServer) throws {
        let format = AudioStreamBasicDescription.float(channels: 1, sampleRate: Self.sampleRate)
        let box = Box()
        input = try InputQueue(
            format: format, device: PulseSource(monitorOf: source, server: server.address),
            configuration: InputQueue.Configuration(heldSeconds: 5, fragmentSeconds: 0.01)
        ) { queue, buffer, info in
            box.line?.record(buffer, info)
            try? queue.enqueue(buffer)
        }
        output = try OutputQueue(
            format: format, device: PulseDevice(sink: sink, server: server.address),
            configuration: OutputQueue.Configuration(latency: .seconds(0.2))
        ) { queue, buffer in
            box.line?.play(buffer)
            try? queue.enqueue(buffer)
        }
        box.line = self
        for _ in 0..<200 {
            try input.enqueue(input.allocateBuffer(byteCapacity: Self.blockFrames * 4))
        }
        try input.start()
        guard HostClock.poll(upToSeconds: 10, until: { recordedFrames > 2 * Self.cushionFrames }) else {
            throw HarnessError("the cable receives nothing from \(source)")
        }
        for _ in 0..<4 {
            let buffer = try output.allocateBuffer(byteCapacity: Self.blockFrames * 4)
            play(buffer)
            try output.enqueue(buffer)
        }
        try output.start()
        let isPlaying = HostClock.poll(upToSeconds: 10) {
            ((try? output.currentTime().playedFrames) ?? 0) > Self.sampleRate
        }
        guard isPlaying else { throw HarnessError("the cable does not play on \(sink)") }
        // An idle sink has rendered up to 2 s of silence, after which the first frames were audible too late.
        state.withLock { $0.origin = $0.samples.count - Self.cushionFrames - $0.playedFrames }
        let begun = state.withLock { $0.playedFrames }
        guard
            HostClock.poll(
                upToSeconds: 10, until: { (try? output.currentTime().playedFrames) ?? 0 > Double(begun) })
        else { throw HarnessError("the cable does not play on \(sink)") }
    }

    private final class Box: Sendable {
        private let weak = Mutex<DelayLine?>(nil)
        var line: DelayLine? {
            get { weak.withLock { $0 } }
            set { weak.withLock { $0 = newValue } }
        }
    }

    /// Ends both queues, which otherwise keep each other alive.
    func end() {
        try? input.dispose(immediate: true)
        try? output.dispose(immediate: true)
    }

    /// Extends the delay by so many frames, from the next played buffer on.
    func add(frames: Int) { state.withLock { $0.addedFrames = frames } }

    /// The gaps of the cable, which change its delay.
    var faults: Int { output.underrunCount + input.overrunCount }

    private var recordedFrames: Int { state.withLock { $0.samples.count } }

    /// The delay of the frame that is audible now, in milliseconds, by the clocks of the cable's queues.
    var milliseconds: Double {
        get throws {
            let time = try output.currentTime()
            return state.withLock { state in
                let frame = Double((state.origin ?? 0) - state.addedFrames) + time.playedFrames
                let mark = state.marks.last { Double($0.frame) <= frame } ?? (0, .nan)
                let captured = mark.nanoseconds + (frame - Double(mark.frame)) * 1e9 / Self.sampleRate
                return (Double(time.hostTime) - captured) / 1e6
            }
        }
    }

    /// Waits until the delay by the cable's clocks is steady: these need some seconds after a start on a busy machine.
    func waitUntilSteady() throws {
        var readings: [Double] = []
        let isSteady = HostClock.poll(upToSeconds: 20, every: 0.02) {
            if let reading = try? milliseconds { readings.append(reading) }
            guard readings.count > 150 else { return false }
            let earlier = readings.suffix(150).prefix(50).sorted()[25]
            let later = readings.suffix(50).sorted()[25]
            return abs(later - earlier) < 0.15
        }
        guard isSteady else { throw HarnessError("the cable's delay is not steady") }
    }

    private func record(_ buffer: QueueBuffer, _ info: InputBufferInfo) {
        let samples = unsafe buffer.bytes.bindMemory(to: Float.self)
        state.withLock { state in
            state.marks.append((state.samples.count, Double(info.hostTime)))
            for index in 0..<buffer.byteCount / 4 { state.samples.append(unsafe samples[index]) }
        }
    }

    private func play(_ buffer: QueueBuffer) {
        let samples = unsafe buffer.bytes.bindMemory(to: Float.self)
        state.withLock { state in
            let origin = state.origin ?? max(0, state.samples.count - Self.cushionFrames)
            state.origin = origin
            let first = origin + state.playedFrames - state.addedFrames
            for index in 0..<Self.blockFrames {
                let frame = first + index
                unsafe samples[index] = state.samples.indices.contains(frame) ? state.samples[frame] : 0
            }
            state.playedFrames += Self.blockFrames
        }
        buffer.byteCount = Self.blockFrames * 4
    }
}
