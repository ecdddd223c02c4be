// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import Synchronization
import AQTestSupport

/// Records a sink's monitor, from before a stream starts until after it has ended.
public final class MonitorCapture: Sendable {
    public let sampleRate: Int
    public let channels: Int

    private let recorder: ChildProcess
    private let reader: CaptureReader

    /// Records the first sink of a private server.
    public convenience init(_ server: PulseServer, deadlineSeconds: Double = 20) throws {
        try self.init(
            source: "\(server.options.sinkName).monitor", sampleRate: server.options.sampleRate,
            channels: server.options.channels, environment: server.environment,
            deadlineSeconds: deadlineSeconds)
    }

    /// Records any source; returns once the recording runs.
    ///
    /// Give the source's own rate, channels and their positions, or the server converts.
    public init(
        source: String, sampleRate: Int, channels: Int, channelMap: String? = nil,
        environment: [String: String?] = [:], deadlineSeconds: Double = 20
    ) throws {
        self.sampleRate = sampleRate
        self.channels = channels
        let ends = try Spawn.makePipe()
        recorder = try ChildProcess(
            "parec",
            [
                "--raw", "--format=float32le", "--rate=\(sampleRate)", "--channels=\(channels)",
                "--latency-msec=2", "--device=\(source)",
            ] + (channelMap.map { ["--channel-map=\($0)"] } ?? []), environment: environment, input: nil,
            output: ends.writing)
        reader = CaptureReader(ends.reading, channels: channels)
        guard reader.waitForFrames(1, upToSeconds: deadlineSeconds) else {
            throw HarnessError("cannot record \(source): \(recorder.standardError)")
        }
    }

    /// The audio recorded so far.
    public var recording: Recording {
        let (samples, blocks) = reader.captured
        return Recording(sampleRate: sampleRate, channels: channels, samples: samples, blocks: blocks)
    }

    /// Waits for so many frames from the first audible one to the last; false after `seconds`.
    public func waitForSound(ofFrames frames: Int = 1, upToSeconds seconds: Double = 10) -> Bool {
        HostClock.poll(upToSeconds: seconds) { reader.soundFrames >= frames }
    }

    /// Waits until the newest frame is the test signal's `position` or a later one; false after `seconds`.
    public func waitForSignal(_ position: Int, upToSeconds seconds: Double = 10) -> Bool {
        HostClock.poll(upToSeconds: seconds) {
            let frame = reader.newestFrame
            return frame.count == 2 && TestSignal.position(left: frame[0], right: frame[1]) ?? -1 >= position
        }
    }

    /// Waits until silence of so many seconds was recorded after the call; false after `limitSeconds`.
    public func waitForSilence(ofSeconds quietSeconds: Double, upToSeconds limitSeconds: Double = 20) -> Bool
    {
        let frames = Int(quietSeconds * Double(sampleRate))
        let startFrames = reader.frames
        return HostClock.poll(upToSeconds: limitSeconds, every: 0.01) {
            reader.silentFramesAtEnd >= frames && reader.frames >= startFrames + frames || !recorder.isRunning
        } && recorder.isRunning
    }

    /// Waits for `quietSeconds` of silence after the last audio, or for `deadlineSeconds` at most.
    ///
    /// Silence is counted in recorded frames, so that a busy machine does not end the recording early.
    @discardableResult
    public func stop(afterQuietSeconds quietSeconds: Double = 0.3, deadlineSeconds: Double = 20) -> Recording
    {
        _ = waitForSilence(ofSeconds: quietSeconds, upToSeconds: deadlineSeconds)
        recorder.signal(SIGTERM)
        recorder.wait(deadlineSeconds: 5)
        reader.waitForEnd(upToSeconds: 5)
        return recording
    }
}

/// Reads a recorder's output on its own thread, which ends with the recorder.
private final class CaptureReader: Sendable {
    private struct Captured {
        var samples: [Float] = []
        var blocks: [Recording.Block] = []
        var framesToFirstSound: Int?
        var framesToLastSound = 0
    }

    private let channels: Int
    private let state = Mutex(Captured())
    private let hasEnded = DispatchGroup()

    init(_ pipe: OwnedDescriptor, channels: Int) {
        self.channels = channels
        DispatchQueue(label: "monitor capture", qos: .userInteractive).async(group: hasEnded) {
            self.read(from: pipe)
        }
    }

    var captured: (samples: [Float], blocks: [Recording.Block]) {
        state.withLock { ($0.samples, $0.blocks) }
    }
    var frames: Int { state.withLock { $0.samples.count / channels } }
    var newestFrame: [Float] { state.withLock { Array($0.samples.suffix(channels)) } }
    var soundFrames: Int { state.withLock { $0.framesToLastSound - ($0.framesToFirstSound ?? 0) } }
    var silentFramesAtEnd: Int {
        state.withLock { $0.samples.count / channels - $0.framesToLastSound }
    }

    func waitForFrames(_ count: Int, upToSeconds seconds: Double) -> Bool {
        HostClock.poll(upToSeconds: seconds) {
            frames >= count || hasEnded.wait(timeout: .now()) == .success
        } && frames >= count
    }

    func waitForEnd(upToSeconds seconds: Double) { _ = hasEnded.wait(timeout: .now() + seconds) }

    private func read(from pipe: OwnedDescriptor) {
        let bytesPerFrame = channels * MemoryLayout<Float>.size
        var bytes = [UInt8](repeating: 0, count: 65536)
        var byteCount = 0  // the bytes of a frame that the pipe cut come first
        while true {
            let count = unsafe bytes.withUnsafeMutableBytes { bytes in
                unsafe Glibc.read(
                    pipe.number, bytes.baseAddress?.advanced(by: byteCount), bytes.count - byteCount)
            }
            if count < 0, errno == EINTR { continue }
            if count <= 0 { return }
            byteCount += count
            let wholeBytes = byteCount / bytesPerFrame * bytesPerFrame
            append(bytes, byteCount: wholeBytes, hostTime: HostClock.now)
            bytes.replaceSubrange(0..<(byteCount - wholeBytes), with: Array(bytes[wholeBytes..<byteCount]))
            byteCount -= wholeBytes
        }
    }

    private func append(_ bytes: [UInt8], byteCount: Int, hostTime: UInt64) {
        let samples = unsafe bytes.withUnsafeBytes { bytes in
            unsafe [Float](
                unsafeUninitializedCapacity: byteCount / MemoryLayout<Float>.size
            ) { samples, initialized in
                unsafe UnsafeMutableRawBufferPointer(samples).copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: bytes[..<byteCount]))
                initialized = byteCount / MemoryLayout<Float>.size
            }
        }
        let firstSound = samples.firstIndex { abs($0) > Recording.silenceThreshold }
        let lastSound = samples.lastIndex { abs($0) > Recording.silenceThreshold }
        state.withLock { captured in
            let startFrame = captured.samples.count / channels
            captured.blocks.append(Recording.Block(startFrame: startFrame, hostTime: hostTime))
            captured.samples.append(contentsOf: samples)
            if let firstSound, captured.framesToFirstSound == nil {
                captured.framesToFirstSound = startFrame + firstSound / channels
            }
            if let lastSound { captured.framesToLastSound = startFrame + lastSound / channels + 1 }
        }
    }
}
