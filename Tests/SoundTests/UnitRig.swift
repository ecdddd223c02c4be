// SPDX-License-Identifier: MIT

import AQDevices
import AQUnits
import CoreAudioTypes
import AQSoundHarness
import Synchronization

/// An I/O unit on a private server, whose code plays the test signal, and records what it captures.
final class UnitRig: Sendable {
    /// A call of the client's code.
    struct Call: Sendable {
        var sampleTime: Double
        var hostTime: UInt64
        var frames: Int
        /// The time of the call.
        var entryTime: UInt64 = 0
        /// The signal's frame that the call begins with; of captured frames, the number of those before.
        var position = 0
    }

    private struct State {
        var position = 0
        var end = Int.max
        var outputs: [Call] = []
        var inputs: [Call] = []
        var captured: [Float] = []
        var failures: [Int32] = []
        var overloads = 0
    }

    let unit: IOUnit
    private let state = Mutex(State())

    init(_ server: PulseServer, sink: String? = nil, source: String = "test.monitor") throws {
        unit = IOUnit(
            outputDevice: try PulseDevice(sink: sink, server: server.address),
            inputDevice: try PulseSource(source: source, server: server.address))
        unit.setListener { [weak self] change in
            if change == .overload { self?.state.withLock { $0.overloads += 1 } }
        }
    }

    var overloads: Int { state.withLock { $0.overloads } }

    var outputs: [Call] { state.withLock { $0.outputs } }
    var inputs: [Call] { state.withLock { $0.inputs } }
    var failures: [Int32] { state.withLock { $0.failures } }
    var captured: Recording {
        state.withLock { Recording(sampleRate: 48_000, channels: 2, samples: $0.captured) }
    }

    /// Plays frames of the signal, then silence.
    func play(_ range: Range<Int>, isInterleaved: Bool = true) throws {
        state.withLock { ($0.position, $0.end) = (range.lowerBound, range.upperBound) }
        try unit.setClientFormat(
            .float(isInterleaved: isInterleaved, channels: 2, sampleRate: 48_000), .output)
        unsafe unit.setRenderCode { [weak self] _, time, _, frames, list in
            guard let self, let list = unsafe list else { return -1 }
            unsafe render(time.pointee, frames, UnsafeMutableAudioBufferListPointer(list))
            return 0
        }
    }

    private func render(
        _ time: AudioTimeStamp, _ frames: Int, _ list: UnsafeMutableAudioBufferListPointer
    ) {
        var call = Call(sampleTime: time.mSampleTime, hostTime: time.mHostTime, frames: frames)
        call.entryTime = HostClock.now
        let signal = state.withLock { state in
            call.position = state.position
            state.outputs.append(call)
            let count = max(0, min(frames, state.end - state.position))
            defer { state.position += count }
            return TestSignal.make(sampleRate: 48_000, frames: count, from: state.position).samples
        }
        for buffer in 0..<(unsafe list.count) {
            let floats = unsafe UnsafeMutableBufferPointer<Float>(list[buffer])
            let step = unsafe list.count == 1 ? 1 : 2
            for (index, sample) in stride(from: buffer, to: signal.count, by: step).enumerated() {
                unsafe floats[index] = signal[sample]
            }
        }
    }

    /// Records what is captured, from now on.
    func record() throws {
        try unit.setEnabled(true, .input)
        try unit.setClientFormat(.float(channels: 2, sampleRate: 48_000), .input)
        unsafe unit.setInputCode { [weak self] _, time, bus, frames, _ in
            guard let self else { return -1 }
            return unsafe capture(time.pointee, bus, frames)
        }
    }

    private func capture(_ time: AudioTimeStamp, _ bus: Int, _ frames: Int) -> Int32 {
        var call = Call(sampleTime: time.mSampleTime, hostTime: time.mHostTime, frames: frames)
        var samples = [Float](repeating: 0, count: frames * 2)
        do {
            try unsafe samples.withUnsafeMutableBufferPointer { samples in
                var list = unsafe AudioBufferList(
                    mNumberBuffers: 1, mBuffers: AudioBuffer(samples, numberOfChannels: 2))
                try unsafe withUnsafeMutablePointer(to: &list) { list in
                    try unsafe unit.render(
                        bus: bus, frames: frames, into: UnsafeMutableAudioBufferListPointer(list))
                }
            }
        } catch {
            let code = (error as? UnitError)?.code.rawValue ?? -1
            state.withLock { $0.failures.append(code) }
        }
        state.withLock { state in
            call.position = state.captured.count / 2
            state.inputs.append(call)
            state.captured += samples
        }
        return 0
    }
}
