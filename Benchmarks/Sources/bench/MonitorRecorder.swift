import BenchKit
import CMonitor
import SoundHarness

/// Records a sink's monitor without having a say in the sink's period, unless told to.
@safe final class MonitorRecorder {
    /// What was recorded.
    struct Capture {
        var samples: [Float]
        var fragments: [ArrivalClock.Fragment]
        var holes: Int
    }

    /// How long fragments are while no stream plays: an idle sink would render 2 s ahead, and what starts then
    /// would be heard that late.
    private static let livelyMicroseconds: UInt32 = 10_000
    /// How long they are where starts are to be told apart that lie closer together than such a period.
    private static let briskMicroseconds: UInt32 = 2_000
    /// PipeWire sends one fragment for each of its quanta, however many frames it then has: so there the
    /// recorder asks for the shortest quantum, 256 frames, and everybody is measured at that.
    private static let quantumMicroseconds: UInt32 = 5_334

    private let recorder: OpaquePointer
    private let isSteered: Bool
    /// How long fragments are that hold the sink's period; nil for as long as there can be.
    private let heldMicroseconds: UInt32?
    /// Whose monitor it is.
    let sink: String

    /// - Throws: ``BenchError`` when the source cannot be recorded.
    init(
        _ server: PulseServer, sink: String, seconds: Double, periodMilliseconds: Double? = nil
    ) throws {
        heldMicroseconds = periodMilliseconds.map { UInt32($0 * 1000) }
        let options = server.options
        self.sink = sink
        isSteered = server.kind == .pulseAudio
        let fragment = isSteered ? Self.livelyMicroseconds : Self.quantumMicroseconds
        var why: UnsafePointer<CChar>? = nil
        let opened = unsafe bench_monitor_open(
            "unix:\(server.socketPath)", "\(sink).monitor", UInt32(options.sampleRate),
            UInt32(options.channels), Int(seconds * Double(options.sampleRate)), fragment, &why
        )
        guard let opened = unsafe opened else {
            let reason = unsafe why.map { unsafe String(cString: $0) } ?? "for no known reason"
            throw BenchError("cannot record \(sink).monitor: \(reason)")
        }
        unsafe recorder = opened
    }

    deinit { unsafe bench_monitor_close(recorder) }

    var frames: Int { unsafe bench_monitor_frames(recorder) }
    var framesToLastSound: Int { unsafe bench_monitor_frames_to_last_sound(recorder) }
    var hasHeardSound: Bool { framesToLastSound > 0 }
    var isRunning: Bool { unsafe bench_monitor_is_running(recorder) != 0 }

    func clear() { unsafe bench_monitor_clear(recorder) }

    /// Lets the sink's period be what the streams ask for, or keeps it short enough for one to start.
    ///
    /// - Parameter isBrisk: Whether it is to be shorter than that.
    func setLively(_ isLively: Bool, isBrisk: Bool = false) throws {
        guard isSteered else { return }
        let lively = isBrisk ? Self.briskMicroseconds : Self.livelyMicroseconds
        let fragment = heldMicroseconds ?? (isLively ? lively : BENCH_LONGEST_FRAGMENT)
        let status = unsafe bench_monitor_set_fragment(recorder, fragment)
        guard status == 0 else { throw BenchError("cannot set the recorder's fragment: error \(-status)") }
    }

    /// Everything since ``clear()``.
    func capture() -> Capture {
        var frameCount = unsafe bench_monitor_frames(recorder)
        var fragmentCount = unsafe bench_monitor_fragment_count(recorder)
        var samples = [Float](repeating: 0, count: max(1, frameCount))
        var fragments = [bench_fragment](repeating: bench_fragment(), count: max(1, fragmentCount))
        unsafe bench_monitor_copy(recorder, &samples, &frameCount, &fragments, &fragmentCount)
        // A fragment that came in between the two counts ends behind what was copied.
        let pieces = fragments.prefix(fragmentCount).prefix { Int($0.end_frame) <= frameCount }
        return Capture(
            samples: Array(samples.prefix(frameCount)),
            fragments: pieces.map {
                ArrivalClock.Fragment(
                    endFrame: Int($0.end_frame), arrivalNanoseconds: Double($0.arrival_ns))
            },
            holes: unsafe bench_monitor_holes(recorder))
    }
}
