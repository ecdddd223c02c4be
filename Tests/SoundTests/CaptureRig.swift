// SPDX-License-Identifier: MIT

import AQDevices
import CoreAudioTypes
import Dispatch
import AQSoundHarness
import Synchronization

/// A capture stream with a client that collects its segments, and enqueues each again.
@safe final class CaptureRig: @unchecked Sendable {
    // SAFETY: the segments' memory is used by the stream between enqueueing and its event, else by `thread`; everything
    // else is constant or behind the lock.

    /// A returned segment with its samples.
    struct Piece: Sendable {
        var frame: Int64
        var hostTime: UInt64
        var bytes: [UInt8]
    }

    private struct State {
        var pieces: [Piece] = []
        var events: [DeviceEvent.Kind] = []
        var emptyPieces = 0
        var isHeld = false
        var idle: [UInt64] = []
        var isEnded = false
    }

    let stream: any AQDevices.InputStream
    let format: SampleFormat
    private let segmentBytes: Int
    private let segments: [UnsafeMutableRawPointer]
    private let state = Mutex(State())

    /// - Parameter segmentFrames: The size of each of the `count` segments.
    init(
        _ device: any InputDevice, format: SampleFormat = .float(), segmentFrames: Int = 2400,
        segments count: Int = 8, heldSeconds: Double = 0.5, recoverySeconds: Double = 5
    ) throws {
        self.format = format
        stream = try device.makeStream(
            InputStreamConfiguration(
                format: format, heldSeconds: heldSeconds, recoverySeconds: recoverySeconds,
                streamName: "capture test"))
        let byteCount = segmentFrames * format.bytesPerFrame
        segmentBytes = byteCount
        unsafe segments = (0..<count).map { _ in .allocate(byteCount: byteCount, alignment: 16) }
        for token in 0..<count { enqueue(UInt64(token)) }
        DispatchQueue(label: "capture client", qos: .userInteractive).async { self.serve() }
    }

    /// Closes the stream, and waits until it is.
    func close() {
        stream.close(ticket: 0)
        _ = HostClock.poll(upToSeconds: 10) { state.withLock { $0.isEnded } }
    }

    deinit { for index in unsafe segments.indices { unsafe segments[index].deallocate() } }

    /// With the lock held once the serving thread runs: a feed supports one thread at a time.
    private func enqueue(_ token: UInt64) {
        _ = unsafe stream.feed.enqueue(
            StreamSegment(room: segments[Int(token)], byteCount: segmentBytes, token: token))
    }

    /// Keeps returned segments from now on, or enqueues all that were kept.
    func hold(_ isHeld: Bool) {
        state.withLock { state in
            state.isHeld = isHeld
            if isHeld { return }
            for token in state.idle { enqueue(token) }
            state.idle = []
        }
        stream.roomAvailable()
    }

    private func serve() {
        while true {
            stream.feed.waitForEvent(until: HostClock.time(inSeconds: 1))
            while let event = stream.feed.nextEvent() {
                take(event)
                if event.kind == .closed {
                    state.withLock { $0.isEnded = true }
                    return
                }
            }
        }
    }

    private func take(_ event: DeviceEvent) {
        guard event.kind == .segmentDone else {
            state.withLock { $0.events.append(event.kind) }
            return
        }
        let bytes = unsafe Array(
            UnsafeRawBufferPointer(start: segments[Int(event.token)], count: event.byteCount))
        state.withLock { state in
            if event.byteCount > 0 {
                state.pieces.append(Piece(frame: event.frame, hostTime: event.hostTime, bytes: bytes))
            } else {
                state.emptyPieces += 1
            }
            // An empty segment would be returned at once again.
            if state.isHeld || event.byteCount == 0 {
                state.idle.append(event.token)
            } else {
                enqueue(event.token)
            }
        }
        stream.roomAvailable()
    }

    // MARK: The captured audio

    var pieces: [Piece] { state.withLock { $0.pieces } }
    var events: [DeviceEvent.Kind] { state.withLock { $0.events } }
    var emptyPieces: Int { state.withLock { $0.emptyPieces } }
    /// Segments that the client has.
    var idleSegments: Int { state.withLock { $0.idle.count } }

    func waitFor(_ kind: DeviceEvent.Kind, count: Int = 1, upToSeconds seconds: Double = 5) -> Bool {
        HostClock.poll(upToSeconds: seconds) { events.filter { $0 == kind }.count >= count }
    }

    func waitForFrames(_ frames: Int64, upToSeconds seconds: Double = 5) -> Bool {
        HostClock.poll(upToSeconds: seconds) { capturedFrames >= frames }
    }

    /// Waits until the stream's clock, which also counts frames that are not delivered, has advanced by so many.
    func waitForClock(toAdvanceBy frames: Double) -> Bool {
        let start = stream.position().timelineFrames
        return HostClock.poll(upToSeconds: 10) { stream.position().timelineFrames >= start + frames }
    }

    /// Waits until the test signal's frame `position` is delivered.
    func waitForSignal(_ position: Int) -> Bool {
        var examined = 0
        return HostClock.poll(upToSeconds: 10) {
            let new = pieces[examined...]
            examined += new.count
            return new.contains { piece in
                TestSignal.runs(in: recording(of: piece)).contains { $0.position + $0.frames > position }
            }
        }
    }

    private func recording(of piece: Piece) -> Recording {
        Recording(
            sampleRate: Int(format.sampleRate), channels: format.channels,
            samples: CaptureRig.floats(piece.bytes, format))
    }

    var capturedFrames: Int64 {
        state.withLock { $0.pieces.reduce(0) { $0 + Int64($1.bytes.count / format.bytesPerFrame) } }
    }

    /// The frames at which a segment does not follow the previous one, and the differences.
    var jumps: [(frame: Int64, by: Int64)] {
        var expected: Int64 = 0
        var jumps: [(Int64, Int64)] = []
        for piece in pieces {
            if piece.frame != expected { jumps.append((expected, piece.frame - expected)) }
            expected = piece.frame + Int64(piece.bytes.count / format.bytesPerFrame)
        }
        return jumps
    }

    /// Everything on the timeline, with -1 for lost frames.
    var recording: Recording {
        var samples: [Float] = []
        for piece in pieces {
            let missing = Int(piece.frame) * format.channels - samples.count
            if missing > 0 { samples += Array(repeating: -1, count: missing) }
            samples += CaptureRig.floats(piece.bytes, format)
        }
        return Recording(
            sampleRate: Int(format.sampleRate), channels: format.channels, samples: samples)
    }

    /// Samples as numbers from -1 to 1.
    static func floats(_ bytes: [UInt8], _ format: SampleFormat) -> [Float] {
        let width = format.encoding.byteCount
        return (0..<(bytes.count / width)).map { index in
            var sample = Array(bytes[(index * width)..<((index + 1) * width)])
            if format.isBigEndian { sample.reverse() }
            let word = sample.enumerated().reduce(UInt32(0)) { $0 | UInt32($1.element) << (8 * $1.offset) }
            switch format.encoding {
            case .unsigned8: return (Float(word) - 128) / 128
            case .float32: return Float(bitPattern: word)
            case .signed16, .signed24, .signed32:
                let left = Int32(bitPattern: word << (32 - 8 * UInt32(width)))
                return Float(Double(left) / 2_147_483_648)
            }
        }
    }
}

extension SampleFormat {
    static func float(channels: Int = 2, sampleRate: Double = 48_000) -> SampleFormat {
        make(.float32, channels: channels, sampleRate: sampleRate)
    }

    static func make(
        _ encoding: Encoding, isBigEndian: Bool = false, channels: Int = 2, sampleRate: Double = 48_000
    ) -> SampleFormat {
        SampleFormat(
            encoding: encoding, isBigEndian: isBigEndian, sampleRate: sampleRate,
            channelLabels: channels == 1
                ? [kAudioChannelLabel_Mono] : [kAudioChannelLabel_Left, kAudioChannelLabel_Right])
    }
}

extension PulseServer {
    var address: String { "unix:\(socketPath)" }

    /// Adds a silent source that is not a monitor, "microphone".
    func addMicrophone() throws {
        let arguments = ["rate=48000", "channels=2"]
        do {
            _ = try loadModule("module-null-source", ["source_name=microphone"] + arguments)
        } catch {
            // PipeWire has no module for it, but sinks that act as sources.
            _ = try loadModule(
                "module-null-sink",
                ["sink_name=microphone", "media.class=Audio/Source/Virtual"] + arguments)
        }
    }

    /// Waits until only the keeper records.
    func waitForNoCapture() throws -> Bool {
        try HostClock.poll(upToSeconds: 2, every: 0.02) {
            try control("list", "short", "source-outputs").split(separator: "\n").count == 1
        }
    }

    /// Plays the test signal's frames on a sink.
    func playSignal(_ range: Range<Int>, sink: String? = nil) throws -> ChildProcess {
        let signal = TestSignal.make(
            sampleRate: options.sampleRate, frames: range.count, from: range.lowerBound)
        let path = "\(folder)/signal-\(range.lowerBound)-\(range.upperBound).wav"
        try WaveFile.write(signal, as: .float32, toPath: path)
        return try ChildProcess(
            "paplay", ["--device=\(sink ?? options.sinkName)", "--latency-msec=400", path],
            environment: environment)
    }
}
