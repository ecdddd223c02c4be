// SPDX-License-Identifier: MIT

import AQDevices
import AudioQueues
import CoreAudioTypes

/// A queue that plays a test signal with the lowest latency that its buffers allow.
final class SignalPlayer {
    let log: PlaybackLog
    let queue: OutputQueue
    let setting: BufferSetting
    let sampleRate: Double
    private(set) var positions: [PlayedPosition] = []

    /// Makes the queue, and starts to play.
    ///
    /// - Parameter seconds: The longest time for which callbacks are logged.
    /// - Throws: ``QueueError``.
    init(
        _ signal: TestSignal, on device: PulseDevice, sampleRate: Double, setting: BufferSetting,
        seconds: Double
    ) throws(QueueError) {
        self.setting = setting
        self.sampleRate = sampleRate
        let log = PlaybackLog(
            signal, bufferFrames: setting.frames,
            capacity: Int(seconds * sampleRate) / setting.frames + setting.buffers)
        self.log = log
        queue = try OutputQueue(
            format: .float(channels: 1, sampleRate: sampleRate), device: device,
            configuration: OutputQueue.Configuration(
                latency: .lowest, recoverySeconds: 1, name: "latency measurement", role: .production)
        ) { queue, buffer in
            log.fill(buffer)
            try? queue.enqueue(buffer)  // refused while the queue stops
        }
        for _ in 0..<setting.buffers {
            let buffer = try queue.allocateBuffer(byteCapacity: setting.frames * 4)
            log.fill(buffer)
            try queue.enqueue(buffer)
        }
        try queue.prime()
        try queue.start()
    }

    /// Notes which frame is audible now, if the device runs.
    func notePosition() {
        guard let time = try? queue.currentTime() else { return }
        positions.append(PlayedPosition(frame: time.playedFrames, nanoseconds: Double(time.hostTime)))
    }

    /// Stops. The log can be read afterwards.
    func end() {
        // A queue that has failed has stopped already.
        try? queue.dispose(immediate: true)
    }
}

/// A frame of the played signal, and the time when it is audible, in nanoseconds of CLOCK_MONOTONIC.
struct PlayedPosition: Sendable, Equatable {
    var frame: Double
    var nanoseconds: Double
}

extension [PlayedPosition] {
    /// Returns the time when a frame is audible, on the line through the nearest positions; nil without positions.
    func nanoseconds(ofFrame frame: Double, sampleRate: Double) -> Double? {
        guard let first, let last else { return nil }
        func time(from position: PlayedPosition) -> Double {
            position.nanoseconds + (frame - position.frame) * 1e9 / sampleRate
        }
        if frame <= first.frame { return time(from: first) }
        if frame >= last.frame { return time(from: last) }
        // The first position after the frame. Positions are in the order of time.
        var (low, high) = (0, count - 1)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].frame > frame { high = middle } else { low = middle + 1 }
        }
        let (before, next) = (self[low - 1], self[low])
        let share = (frame - before.frame) / (next.frame - before.frame)
        return before.nanoseconds + (next.nanoseconds - before.nanoseconds) * share
    }
}
