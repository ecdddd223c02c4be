// SPDX-License-Identifier: MIT

import BenchKit
import CMonitor
import AQSoundHarness

/// Records a sink's monitor. It determines the sink's period only on request.
@safe final class MonitorRecorder {
    /// A recording.
    struct Capture {
        var samples: [Float]
        var fragments: [ArrivalClock.Fragment]
        var holes: Int
    }

    /// The length of fragments while no stream plays. Otherwise an idle sink renders 2 s ahead, and a stream that
    /// starts is audible only after that time.
    private static let livelyMicroseconds: UInt32 = 10_000
    /// The length of fragments for starts whose differences are shorter than the usual length.
    private static let briskMicroseconds: UInt32 = 2_000
    /// The length of PipeWire's shortest quantum, 256 frames. PipeWire sends one fragment for each quantum, so the
    /// recorder requests the shortest one, and every library is measured with it.
    private static let quantumMicroseconds: UInt32 = 5_334

    private let recorder: OpaquePointer
    private let isSteered: Bool
    /// The length of fragments that fixes the sink's period; nil if the period is not fixed.
    private let heldMicroseconds: UInt32?
    /// The name of the recorded sink.
    let sink: String

    /// - Throws: ``BenchError`` if the source cannot be recorded.
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
    var hasAudio: Bool { framesToLastSound > 0 }
    var isRunning: Bool { unsafe bench_monitor_is_running(recorder) != 0 }

    func clear() { unsafe bench_monitor_clear(recorder) }

    /// Keeps the sink's period short, so that streams start quickly, or allows the period that the streams request.
    ///
    /// - Parameter isBrisk: Whether the short period is 2 ms instead of 10 ms.
    func setLively(_ isLively: Bool, isBrisk: Bool = false) throws {
        guard isSteered else { return }
        let lively = isBrisk ? Self.briskMicroseconds : Self.livelyMicroseconds
        let fragment = heldMicroseconds ?? (isLively ? lively : BENCH_LONGEST_FRAGMENT)
        let status = unsafe bench_monitor_set_fragment(recorder, fragment)
        guard status == 0 else { throw BenchError("cannot set the recorder's fragment: error \(-status)") }
    }

    /// Returns the recording since ``clear()``.
    func capture() -> Capture {
        var frameCount = unsafe bench_monitor_frames(recorder)
        var fragmentCount = unsafe bench_monitor_fragment_count(recorder)
        var samples = [Float](repeating: 0, count: max(1, frameCount))
        var fragments = [bench_fragment](repeating: bench_fragment(), count: max(1, fragmentCount))
        unsafe bench_monitor_copy(recorder, &samples, &frameCount, &fragments, &fragmentCount)
        // A fragment that arrived between the two counts ends after the copied frames.
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
