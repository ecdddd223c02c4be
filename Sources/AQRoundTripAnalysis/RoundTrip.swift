// SPDX-License-Identifier: MIT

/// A callback in the log of a program under test.
public struct CallbackRecord: Sendable, Equatable {
    /// The time at which the callback was entered, in nanoseconds of CLOCK_MONOTONIC.
    public var entryNanoseconds: Double
    /// The first frame, and the number of frames, in the sequence or in the recorded stream.
    public var firstFrame: Int
    public var frames: Int
    /// The latency that the library reported in the callback; nil if it reports none.
    public var predictedNanoseconds: Double?

    public init(entryNanoseconds: Double, firstFrame: Int, frames: Int, predictedNanoseconds: Double? = nil) {
        self.entryNanoseconds = entryNanoseconds
        self.firstFrame = firstFrame
        self.frames = frames
        self.predictedNanoseconds = predictedNanoseconds
    }
}

/// The time from the entry of a callback until its first frame is audible, for every callback of a run.
public struct RoundTrip: Sendable {
    public struct Sample: Sendable, Equatable {
        public var entryNanoseconds: Double
        public var latencyNanoseconds: Double
        /// The reported latency minus the measured latency; nil if the library reports none.
        public var predictionErrorNanoseconds: Double?
    }

    public var samples: [Sample]
    /// Callbacks whose first frame was not recorded, before the last frame that was.
    public var inaudible: Int

    /// - Parameters:
    ///   - range: The times of entry that count, without the start and the end of a run.
    ///   - nanoseconds: Returns the time at which a frame of the recording was audible, in nanoseconds of
    ///     CLOCK_MONOTONIC.
    public init(
        callbacks: [CallbackRecord], alignment: Alignment, range: ClosedRange<Double>,
        nanosecondsOfFrame nanoseconds: (Double) -> Double
    ) {
        samples = []
        inaudible = 0
        let lastAudible = alignment.segments.map(\.sequenceEnd).max() ?? 0
        for callback in callbacks where range.contains(callback.entryNanoseconds) && callback.frames > 0 {
            guard let frame = alignment.captureFrame(of: callback.firstFrame) else {
                if callback.firstFrame < lastAudible { inaudible += 1 }
                continue
            }
            let latency = nanoseconds(frame) - callback.entryNanoseconds
            samples.append(
                Sample(
                    entryNanoseconds: callback.entryNanoseconds, latencyNanoseconds: latency,
                    predictionErrorNanoseconds: callback.predictedNanoseconds.map { $0 - latency }))
        }
    }

    public var latency: Summary? { Summary(samples.map(\.latencyNanoseconds)) }
    public var predictionError: Summary? { Summary(samples.compactMap(\.predictionErrorNanoseconds)) }
}
