import CRealTime
import Glibc
import Synchronization

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
        let entries = Monitor<[Entry]>([])
        let isThreadRunning = Atomic<Bool>(false)

        /// Advances every running stream to the current time; returns false if no stream is left.
        func tick(_ scratch: inout [UInt8]) -> Bool {
            entries.withLock { entries in
                entries.removeAll { $0.stream.isClosed }
                let now = aq_host_time()
                for index in entries.indices {
                    let stream = entries[index].stream
                    guard stream.isRunning else {
                        entries[index].runningSince = 0
                        continue
                    }
                    if entries[index].runningSince == 0 {
                        entries[index].runningSince = now
                        entries[index].framesDone = 0
                    }
                    let elapsed = Double(now - entries[index].runningSince) / 1e9
                    let due = Int((elapsed + VirtualDevice.periodSeconds) * stream.format.sampleRate)
                    var frames = due - entries[index].framesDone
                    entries[index].framesDone = due
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
                if entries.isEmpty { isThreadRunning.store(false, ordering: .sequentiallyConsistent) }
                return !entries.isEmpty
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
        let mustStart = pacer.entries.withLock { entries in
            entries.append(Pacer.Entry(stream: stream))
            return !pacer.isThreadRunning.exchange(true, ordering: .sequentiallyConsistent)
        }
        if mustStart {
            let pacer = self.pacer
            let status = DetachedThread.start(named: "aq virtual") {
                var scratch: [UInt8] = []
                let period = timespec(tv_sec: 0, tv_nsec: Int(VirtualDevice.periodSeconds * 1e9))
                while pacer.tick(&scratch) {
                    unsafe _ = withUnsafePointer(to: period) { unsafe nanosleep($0, nil) }
                }
            }
            guard status == 0 else {
                pacer.entries.withLock { $0.removeAll { $0.stream === stream } }
                pacer.isThreadRunning.store(false, ordering: .sequentiallyConsistent)
                throw DeviceError(.refused, "cannot start the virtual device's thread: error \(status)")
            }
        }
        return stream
    }
}
