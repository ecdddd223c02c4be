/// What one callback handed over or took, as a program under test logged it.
public struct CallbackRecord: Sendable, Equatable {
    /// CLOCK_MONOTONIC when the callback was entered.
    public var entryNanoseconds: Double
    /// Of the sequence or of the stream: the first frame, and how many.
    public var firstFrame: Int
    public var frames: Int
    /// The latency that the library told of at this moment; nil when it tells none.
    public var predictedNanoseconds: Double?

    public init(entryNanoseconds: Double, firstFrame: Int, frames: Int, predictedNanoseconds: Double? = nil) {
        self.entryNanoseconds = entryNanoseconds
        self.firstFrame = firstFrame
        self.frames = frames
        self.predictedNanoseconds = predictedNanoseconds
    }
}

/// From a callback's entry until its first frame was heard, for every callback of a run.
public struct RoundTrip: Sendable {
    public struct Sample: Sendable, Equatable {
        public var entryNanoseconds: Double
        public var latencyNanoseconds: Double
        /// What the library told less what was measured; nil when it tells nothing.
        public var predictionErrorNanoseconds: Double?
    }

    public var samples: [Sample]
    /// Callbacks whose first frame was never heard, between the first and the last that were.
    public var unheard: Int

    /// - Parameter range: Callbacks entered outside it are left out: the start and the end of a run.
    public init(
        callbacks: [CallbackRecord], alignment: Alignment, clock: ArrivalClock, range: ClosedRange<Double>
    ) {
        samples = []
        unheard = 0
        let lastHeard = alignment.segments.map(\.sequenceEnd).max() ?? 0
        for callback in callbacks where range.contains(callback.entryNanoseconds) && callback.frames > 0 {
            guard let frame = alignment.captureFrame(of: callback.firstFrame) else {
                if callback.firstFrame < lastHeard { unheard += 1 }
                continue
            }
            let latency = clock.nanoseconds(ofFrame: frame) - callback.entryNanoseconds
            samples.append(
                Sample(
                    entryNanoseconds: callback.entryNanoseconds, latencyNanoseconds: latency,
                    predictionErrorNanoseconds: callback.predictedNanoseconds.map { $0 - latency }))
        }
    }

    public var latency: Summary? { Summary(samples.map(\.latencyNanoseconds)) }
    public var predictionError: Summary? { Summary(samples.compactMap(\.predictionErrorNanoseconds)) }
}
