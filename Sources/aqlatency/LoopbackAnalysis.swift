// SPDX-License-Identifier: MIT

import AQRoundTripAnalysis

/// The delay of chirps from a device to a source.
struct LoopbackAnalysis: Sendable {
    /// The reason why there is no result.
    enum Failure: Error, Equatable {
        /// The source was silent.
        case silent
        /// Too few chirps were found; with the largest sample of the source.
        case notFound(peak: Float)
        /// Chirps were found at different delays, between these in milliseconds.
        case unsteady(ClosedRange<Double>)
    }

    /// The time from one chirp to the next.
    static let intervalSeconds = 0.7
    /// The time before a chirp is audible in which it is searched for, because both clocks are estimates.
    private static let leadSeconds = 0.05
    /// The largest sample that counts as silence: -100 dB.
    private static let silence: Float = 1e-5
    /// The distance from the median at which a chirp counts as something else.
    private static let mostDeviation = 1.0
    /// The sample from which a source counts as clipped.
    private static let fullScale: Float = 0.999

    /// The delay of each chirp by the clocks of both queues: from the time when it was audible until the time when it
    /// was captured, in milliseconds.
    var delays: [Double]
    /// The statistics of the delays.
    var delay: Summary
    /// The time from the callback that played a chirp until the callback that recorded it, in milliseconds.
    var throughCallbacks: Summary
    /// The number of chirps that should have been recorded.
    var playedChirps: Int
    var signalToNoise: Double
    var isInverted: Bool
    var isClipped: Bool
    /// The channel of the source, from 0, in which the chirps are the loudest.
    var channel: Int

    /// - Parameters:
    ///   - chirps: The first frame of each played chirp, in the order of time.
    ///   - positions: Times at which frames were audible.
    ///   - callbacks: The callbacks that played.
    /// - Throws: ``Failure``.
    init(
        _ audio: CapturedAudio, chirp: Chirp, chirps: [Int], outputRate: Double,
        positions: [PlayedPosition], callbacks: [CallbackRecord]
    ) throws(Failure) {
        let peak = audio.samples.reduce(0) { max($0, abs($1)) }
        guard peak > Self.silence else { throw .silent }
        let searched = Self.windows(audio, chirps, outputRate, positions)
        let length = searched.map(\.frames.count).max() ?? 0
        let finder = ChirpFinder(chirp, sampleRate: audio.sampleRate, frames: length)
        var best: (channel: Int, found: [Found], amplitude: Double)?
        for channel in 0..<audio.channels {
            let samples = audio.channel(channel)
            let found = searched.compactMap { window in
                finder.first(in: samples[window.frames]).map { Found($0, window, audio) }
            }
            let loudest = Self.median(found.map(\.arrival.amplitude)) * Double(found.count)
            if !found.isEmpty, loudest > best?.amplitude ?? 0 { best = (channel, found, loudest) }
        }
        guard let best, best.found.count * 2 > searched.count else { throw .notFound(peak: peak) }
        let found = best.found.map(\.delay).sorted()
        let median = Self.median(best.found.map(\.delay))
        let kept = best.found.filter { abs($0.delay - median) <= Self.mostDeviation }
        guard kept.count * 2 > best.found.count, kept.count * 2 > searched.count,
            let delay = Summary(kept.map(\.delay)),
            let through = Summary(kept.map { $0.throughMilliseconds(audio, callbacks) })
        else { throw .unsteady(found[0]...found[found.count - 1]) }
        delays = kept.map(\.delay)
        self.delay = delay
        throughCallbacks = through
        playedChirps = searched.count
        signalToNoise = Self.median(kept.map(\.arrival.signalToNoise))
        isInverted = kept.count { $0.arrival.isInverted } * 2 > kept.count
        isClipped = peak >= Self.fullScale
        channel = best.channel
    }

    /// The part of a recording in which one chirp is searched for.
    private struct Window {
        var frames: Range<Int>
        var chirpFrame: Int
        var audibleNanoseconds: Double
    }

    /// A chirp that was found.
    private struct Found {
        /// The arrival; its frame counts from the start of the recording.
        var arrival: ChirpFinder.Arrival
        var chirpFrame: Int
        /// The delay in milliseconds.
        var delay: Double

        init(_ arrival: ChirpFinder.Arrival, _ window: Window, _ audio: CapturedAudio) {
            self.arrival = arrival
            self.arrival.frame += Double(window.frames.lowerBound)
            chirpFrame = window.chirpFrame
            delay = (audio.nanoseconds(ofFrame: self.arrival.frame) - window.audibleNanoseconds) / 1e6
        }

        func throughMilliseconds(_ audio: CapturedAudio, _ callbacks: [CallbackRecord]) -> Double {
            guard
                let callback = callbacks.last(where: { $0.firstFrame <= chirpFrame }),
                chirpFrame < callback.firstFrame + callback.frames
            else { return .nan }
            return (audio.callbackNanoseconds(ofFrame: arrival.frame) - callback.entryNanoseconds) / 1e6
        }
    }

    private static func windows(
        _ audio: CapturedAudio, _ chirps: [Int], _ outputRate: Double, _ positions: [PlayedPosition]
    ) -> [Window] {
        let length = Int((intervalSeconds - 0.02) * audio.sampleRate)
        return chirps.compactMap { chirpFrame in
            guard
                let audible = positions.nanoseconds(ofFrame: Double(chirpFrame), sampleRate: outputRate)
            else { return nil }
            let start = audio.frame(atNanoseconds: audible - leadSeconds * 1e9)
            guard start.isFinite, start >= 0, start < Double(audio.frames) else { return nil }
            let first = Int(start)
            guard first + length <= audio.frames else { return nil }
            return Window(
                frames: first..<first + length, chirpFrame: chirpFrame, audibleNanoseconds: audible)
        }
    }

    private static func median(_ values: [Double]) -> Double {
        Summary.percentile(values.sorted(), 0.5)
    }
}
