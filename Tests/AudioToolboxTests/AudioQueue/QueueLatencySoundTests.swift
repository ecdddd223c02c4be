// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import CAQAudioToolbox
import CAQRealTime
import CoreAudioTypes
import AQSoundHarness
import AQTestTraits
import Testing

@testable import AQToolboxFunctions

/// From a callback to the monitor of a private server's sink with a fixed period of 2 ms.
@Suite("Latency of a queue of the C functions", .serialized, .measuring, .timeLimit(.minutes(5)))
struct QueueLatencySoundTests {
    // On PipeWire the server holds a period besides a buffer.
    @Test("short buffers are the whole latency", arguments: [(3, 128), (2, 256), (3, 512), (2, 2048)])
    func short(buffers: Int, frames: Int) throws {
        let least = SoundServerTraits.chosen.heldBackFrames + frames
        let seconds = Double(max(buffers * frames, least)) / 48_000
        let latency = try medianLatency(buffers: buffers, frames: frames)
        // 5 ms on an idle machine.
        #expect(latency < seconds + 0.012)
    }

    @Test("beside long buffers the server has a reserve") func long() throws {
        #expect(try medianLatency(buffers: 2, frames: 9600) > 0.25)
    }

    @Test("the program's goal applies whatever the buffers are") func asked() throws {
        #expect(try medianLatency(buffers: 3, frames: 512, goal: 4) > 1)
    }

    /// From a callback's entry until its first frame is audible.
    private func medianLatency(buffers: Int, frames: Int, goal: UInt32 = 0) throws -> Double {
        let server = try PulseServer()
        let capture = try MonitorCapture(server)
        let synthesizer = Synthesizer(frames: frames)
        var format = AudioStreamBasicDescription.float(channels: 2, sampleRate: 48_000)
        var made: AudioQueueRef?
        let device = try PulseDevice(server: "unix:\(server.socketPath)")
        let status = TestDevices.with(output: device) {
            unsafe audioQueueNewOutput(
                &format,
                { userData, queue, buffer in unsafe Synthesizer.of(userData)?.fill(buffer, of: queue) },
                synthesizer.userData, nil, nil, 0, &made)
        }
        expectEqual(status, noErr)
        let queue = try unsafe #require(made)
        defer { _ = unsafe audioQueueDispose(queue, true) }
        if goal != 0 {
            var value = goal
            let property = QueueProperty.latencyIdentifier
            unsafe expectEqual(audioQueueSetProperty(queue, property, &value, 4), noErr)
        }
        for _ in 0..<buffers {
            var buffer: AudioQueueBufferRef?
            unsafe expectEqual(audioQueueAllocateBuffer(queue, UInt32(frames * 8), &buffer), noErr)
            try unsafe synthesizer.fill(#require(buffer), of: queue)
        }
        unsafe expectEqual(audioQueueStart(queue, nil), noErr)
        try #require(capture.waitForSound(upToSeconds: 10))
        _ = HostClock.poll(upToSeconds: 3) { false }
        synthesizer.isOver.withLock { $0 = true }
        unsafe expectEqual(audioQueueStop(queue, true), noErr)
        let latencies = synthesizer.latencies(in: capture.stop())
        return try #require(latencies.dropFirst(latencies.count / 4).sorted().median)
    }
}

/// Fills buffers with the test signal, and records the times.
@safe private final class Synthesizer: Sendable {
    private let frames: Int
    let isOver = Monitor(false)
    private let calls = Monitor<[(position: Int, hostTime: UInt64)]>([])

    init(frames: Int) { self.frames = frames }

    /// The synthesizer has to outlive the queue.
    var userData: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

    static func of(_ userData: UnsafeMutableRawPointer?) -> Synthesizer? {
        unsafe userData.map { unsafe Unmanaged<Synthesizer>.fromOpaque($0).takeUnretainedValue() }
    }

    func fill(_ buffer: AudioQueueBufferRef, of queue: AudioQueueRef) {
        if isOver.withLock({ $0 }) { return }
        let now = aq_host_time()
        let position = calls.withLock { calls in
            calls.append((calls.count * frames, now))
            return (calls.count - 1) * frames
        }
        let signal = TestSignal.make(sampleRate: 48_000, frames: frames, from: position)
        unsafe signal.samples.withUnsafeBytes {
            if let base = $0.baseAddress {
                unsafe buffer.pointee.mAudioData.copyMemory(from: base, byteCount: $0.count)
            }
        }
        unsafe buffer.pointee.mAudioDataByteSize = UInt32(frames * 8)
        // Refused while the queue stops.
        _ = unsafe audioQueueEnqueueBuffer(queue, buffer, 0, nil)
    }

    /// For each callback with an audible first frame, in seconds.
    func latencies(in recording: Recording) -> [Double] {
        let runs = TestSignal.runs(in: recording)
        var latencies: [Double] = []
        var run = 0
        for call in calls.withLock({ $0 }) {
            while run < runs.count, runs[run].position + runs[run].frames <= call.position { run += 1 }
            guard run < runs.count else { break }
            let offset = call.position - runs[run].position
            guard offset >= 0, let played = recording.hostTime(ofFrame: runs[run].startFrame + offset) else {
                continue
            }
            latencies.append((Double(played) - Double(call.hostTime)) / 1e9)
        }
        return latencies
    }
}

extension [Double] {
    /// Of sorted ones.
    fileprivate var median: Double? { isEmpty ? nil : self[count / 2] }
}
