// SPDX-License-Identifier: MIT

import CAQRealTime
import Glibc

/// A playback device that discards its audio in real time, for machines without a sound card.
///
/// Its streams share one thread, which wakes every ``periodSeconds`` while one of them is open.
public final class VirtualDevice: OutputDevice {
    /// The interval at which the device requests frames, in seconds.
    public static let periodSeconds = 0.01

    private final class Pacer: Sendable {
        /// A stream and its progress since the last start or resume.
        struct Entry {
            let stream: SoftwareStream
            var runningSince: UInt64 = 0
            var framesDone = 0
        }
        struct State {
            var entries: [Entry] = []
            var isThreadRunning = false
        }
        private let state = Monitor(State())

        /// Adds a stream, and starts the thread unless it runs.
        ///
        /// - Returns: 0, or the `errno` of a thread that cannot be started; the stream is not added then.
        func add(_ stream: SoftwareStream) -> CInt {
            // The thread starts inside the lock, so that no other stream relies on a thread that fails to start.
            state.withLock { state in
                if !state.isThreadRunning {
                    let status = DetachedThread.start(named: "aq virtual") { [self] in run() }
                    guard status == 0 else { return status }
                    state.isThreadRunning = true
                }
                state.entries.append(Entry(stream: stream))
                return 0
            }
        }

        private func run() {
            var scratch: [UInt8] = []
            let period = timespec(tv_sec: 0, tv_nsec: Int(VirtualDevice.periodSeconds * 1e9))
            while tick(&scratch) {
                unsafe _ = withUnsafePointer(to: period) { unsafe nanosleep($0, nil) }
            }
        }

        /// Advances every running stream to the current time; returns false if no stream is left.
        private func tick(_ scratch: inout [UInt8]) -> Bool {
            state.withLock { state in
                state.entries.removeAll { $0.stream.isClosed }
                let now = aq_host_time()
                for index in state.entries.indices {
                    let stream = state.entries[index].stream
                    guard stream.isRunning else {
                        state.entries[index].runningSince = 0
                        continue
                    }
                    if state.entries[index].runningSince == 0 {
                        state.entries[index].runningSince = now
                        state.entries[index].framesDone = 0
                    }
                    let elapsed = Double(now - state.entries[index].runningSince) / 1e9
                    let due = Int((elapsed + VirtualDevice.periodSeconds) * stream.format.sampleRate)
                    var frames = due - state.entries[index].framesDone
                    state.entries[index].framesDone = due
                    // After a long stall, at most one second is played at once.
                    frames = min(frames, Int(stream.format.sampleRate))
                    guard frames > 0 else { continue }
                    let bytes = frames * stream.format.bytesPerFrame
                    if scratch.count < bytes { scratch = [UInt8](repeating: 0, count: bytes) }
                    unsafe scratch.withUnsafeMutableBytes { buffer in
                        if let base = buffer.baseAddress {
                            unsafe stream.advance(frames: frames, into: base)
                        }
                    }
                }
                state.isThreadRunning = !state.entries.isEmpty
                return state.isThreadRunning
            }
        }
    }

    public let name = "virtual"
    private let pacer = Pacer()

    public init() {}

    public func makeStream(
        _ configuration: OutputStreamConfiguration
    ) throws(DeviceError) -> any OutputStream {
        try configuration.format.validate(channelNumbers: configuration.channelNumbers)
        let stream = SoftwareStream(
            configuration, deviceName: name,
            requestFrames: max(1, Int(VirtualDevice.periodSeconds * configuration.format.sampleRate)),
            hasClock: true)
        let status = pacer.add(stream)
        guard status == 0 else {
            throw DeviceError(.refused, "cannot start the virtual device's thread: error \(status)")
        }
        return stream
    }
}
