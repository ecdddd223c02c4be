/// From a block's passing the monitor until a recorder's callback, and from callback to callback.
public struct InputAnalysis: Sendable {
    /// Which recorded frame is which of the sequence: the peer's own recording.
    private let recorded: Alignment
    private let callbacks: [CallbackRecord]

    /// - Throws: ``BenchError`` when the sequence is not in what the peer recorded.
    public init(samples: [Float], callbacks: [CallbackRecord], noise: ReferenceNoise) throws(BenchError) {
        recorded = Aligner.align(samples, to: noise)
        self.callbacks = callbacks
        guard !recorded.segments.isEmpty else { throw BenchError("the noise is not in what was recorded") }
    }

    /// Departures of what was recorded from the sequence.
    public var gaps: [Alignment.Gap] { recorded.gaps }

    /// Nanoseconds from a frame's passing the monitor until the callback that hands it over was entered: of
    /// the first frame of each callback, and of its last. And what the library told of the first frame's age, less
    /// the time since that frame was heard: a monitor's frame passes with its block, up to a period before.
    ///
    /// - Parameters:
    ///   - heard: Which frame of the recorder's own capture is which of the sequence.
    ///   - seconds: What is left out at the start and at the end.
    public func ages(
        heard: Alignment, clock: ArrivalClock, leavingOut seconds: Double
    ) -> (oldest: [Double], newest: [Double], predictionErrors: [Double]) {
        var ages: (oldest: [Double], newest: [Double], predictionErrors: [Double]) = ([], [], [])
        for callback in Self.steady(callbacks, leavingOut: seconds) {
            func place(_ frame: Int) -> Double? {
                recorded.sequenceFrame(at: frame).flatMap { heard.captureFrame(of: $0) }
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

    /// Nanoseconds from the callback that played a frame until the one that recorded it: of the first frame of
    /// each callback that played.
    public func roundTrips(of outputs: [CallbackRecord], leavingOut seconds: Double) -> [Double] {
        Self.steady(outputs, leavingOut: seconds).compactMap { output in
            recorded.captureFrame(of: output.firstFrame).flatMap { callback(holding: Int($0)) }
                .map { $0.entryNanoseconds - output.entryNanoseconds }
        }
    }

    /// None of a run that ended before its steady part began.
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
