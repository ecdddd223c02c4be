// SPDX-License-Identifier: MIT

import AQRoundTripAnalysis

/// The comparison of a monitor's recording with the noise that was played.
struct NoiseAnalysis: Sendable, Equatable {
    /// The reason why a recording has no result.
    enum Failure: Error, Equatable {
        /// Nothing but silence was recorded.
        case silent
        /// Other audio was recorded, but not the noise.
        case notFound
    }

    /// The time after the first audible frame that does not count, as in the benchmarks.
    static let warmUpSeconds = 1.0
    /// The amplitude to which a recording is scaled before the search, which suits ``Aligner``.
    private static let amplitude: Float = 0.25
    /// The part of a recording in which the noise must be found, so that other audio is not searched to its end.
    private static let searchedSeconds = 1.0
    /// The longest time between the callback and the monitor.
    private static let longestLatencySeconds = 5.0

    /// The latency of each callback, from its entry until its first frame was audible, in milliseconds.
    var latencies: [Double]
    /// The number of differences between the recording and the noise, and their length in milliseconds.
    var gaps: Int
    var gapMilliseconds: Double
    /// The length of the part that counts.
    var seconds: Double

    /// - Parameters:
    ///   - audio: The recording of one channel, which ends while the noise is played.
    ///   - playedFrames: The number of frames of noise that were sent.
    /// - Throws: ``Failure``.
    init(
        _ audio: CapturedAudio, callbacks: [CallbackRecord], playedFrames: Int
    ) throws(Failure) {
        let rate = audio.sampleRate
        let peak = audio.samples.reduce(0) { max($0, abs($1)) }
        guard peak > 0 else { throw .silent }
        let scale = Self.amplitude / peak
        let samples = audio.samples.map { $0 * scale }
        try Self.checkPresence(in: samples, rate: rate, playedFrames: playedFrames)
        let alignment = Aligner.align(
            samples, to: ReferenceNoise(stream: 0, frames: playedFrames, amplitude: Self.amplitude))
        let audible = alignment.capturedRange
        guard !audible.isEmpty else { throw .notFound }
        let start = audible.lowerBound + Int(Self.warmUpSeconds * rate)
        let end = max(start + 1, audible.upperBound)
        seconds = Double(end - start) / rate
        let counted = alignment.gaps.filter { $0.captureStart >= start }
        gaps = counted.count
        gapMilliseconds = counted.reduce(0) { $0 + Double($1.frames) } * 1000 / rate
        let first = audio.nanoseconds(ofFrame: Double(start))
        let trip = RoundTrip(
            callbacks: callbacks, alignment: alignment,
            range: first...max(first, audio.nanoseconds(ofFrame: Double(end))),
            nanosecondsOfFrame: audio.nanoseconds(ofFrame:))
        // The times of the recording are estimates of the server's clock. A callback that refills an empty stream is
        // audible at once, and the error of the estimate would then make its latency negative.
        latencies = trip.samples.map { max(0, $0.latencyNanoseconds / 1e6) }
        guard !latencies.isEmpty else { throw .notFound }
    }

    /// Searches the first audible second.
    private static func checkPresence(
        in samples: [Float], rate: Double, playedFrames: Int
    ) throws(Failure) {
        guard let first = samples.firstIndex(where: { abs($0) > Aligner.silence }) else { throw .silent }
        let part = samples[first..<min(samples.count, first + Int(searchedSeconds * rate))]
        let frames = min(playedFrames, Int((searchedSeconds + longestLatencySeconds) * rate))
        let found = Aligner.align(
            Array(part), to: ReferenceNoise(stream: 0, frames: frames, amplitude: amplitude))
        guard !found.segments.isEmpty else { throw .notFound }
    }
}
