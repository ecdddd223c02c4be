// SPDX-License-Identifier: MIT

/// The latency of input: from the monitor to a recorder's callback, and from callback to callback.
public struct InputAnalysis: Sendable {
    /// The match between the peer's own recording and the sequence.
    private let recorded: Alignment
    private let callbacks: [CallbackRecord]

    /// - Throws: ``BenchError`` if the sequence is not in the peer's recording.
    public init(samples: [Float], callbacks: [CallbackRecord], noise: ReferenceNoise) throws(BenchError) {
        recorded = Aligner.align(samples, to: noise)
        self.callbacks = callbacks
        guard !recorded.segments.isEmpty else { throw BenchError("the noise is not in what was recorded") }
    }

    /// Differences between the peer's recording and the sequence.
    public var gaps: [Alignment.Gap] { recorded.gaps }

    /// Returns the times in nanoseconds from the moment when a frame passes the monitor until the entry of its
    /// callback, for the first and the last frame of each callback.
    ///
    /// `predictionErrors` are the ages of first frames that the library reported, minus their measured ages. A measured
    /// age counts from the moment when the frame is audible. A frame passes the monitor with its block, up to a period
    /// before that moment.
    ///
    /// - Parameters:
    ///   - audible: The match between the recording of the monitor and the sequence.
    ///   - seconds: The time at the start and at the end that does not count.
    public func ages(
        audible: Alignment, clock: ArrivalClock, leavingOut seconds: Double
    ) -> (oldest: [Double], newest: [Double], predictionErrors: [Double]) {
        var ages: (oldest: [Double], newest: [Double], predictionErrors: [Double]) = ([], [], [])
        for callback in Self.steady(callbacks, leavingOut: seconds) {
            func place(_ frame: Int) -> Double? {
                recorded.sequenceFrame(at: frame).flatMap { audible.captureFrame(of: $0) }
            }
            guard let oldest = place(callback.firstFrame),
                let newest = place(callback.firstFrame + callback.frames - 1)
            else { continue }
            ages.oldest.append(callback.entryNanoseconds - clock.passingNanoseconds(ofFrame: oldest))
            ages.newest.append(callback.entryNanoseconds - clock.passingNanoseconds(ofFrame: newest))
            if let predicted = callback.predictedNanoseconds {
                let age = callback.entryNanoseconds - clock.nanoseconds(ofFrame: oldest)
                ages.predictionErrors.append(predicted - age)
            }
        }
        return ages
    }

    /// Returns the times in nanoseconds from the callback that plays a frame until the callback that records it, for
    /// the first frame of each callback that plays.
    public func roundTrips(of outputs: [CallbackRecord], leavingOut seconds: Double) -> [Double] {
        Self.steady(outputs, leavingOut: seconds).compactMap { output in
            recorded.captureFrame(of: output.firstFrame).flatMap { callback(holding: Int($0)) }
                .map { $0.entryNanoseconds - output.entryNanoseconds }
        }
    }

    /// Returns the callbacks of the steady part; none if the run ended before that part.
    private static func steady(_ callbacks: [CallbackRecord], leavingOut seconds: Double) -> [CallbackRecord]
    {
        guard let first = callbacks.first, let last = callbacks.last else { return [] }
        let start = first.entryNanoseconds + seconds * 1e9
        let end = last.entryNanoseconds - seconds * 1e9
        return callbacks.filter { $0.entryNanoseconds >= start && $0.entryNanoseconds < end }
    }

    private func callback(holding frame: Int) -> CallbackRecord? {
        var low = 0
        var high = callbacks.count
        while low < high {
            let middle = (low + high) / 2
            if callbacks[middle].firstFrame <= frame { low = middle + 1 } else { high = middle }
        }
        guard low > 0, frame < callbacks[low - 1].firstFrame + callbacks[low - 1].frames else { return nil }
        return callbacks[low - 1]
    }
}
