// SPDX-License-Identifier: MIT

/// Computes results from a recording and a peer's log.
public struct OutputAnalysis: Sendable {
    public var samples: [Float]
    public var fragments: [ArrivalClock.Fragment]
    public var sampleRate: Double
    /// The stalls of the machine during the run; nil if they were not detected.
    public var stalls: [MachineStall]?
    /// The time after the first audible frame that does not count, and the time before the last.
    public var warmUpSeconds = 1.0
    public var coolDownSeconds = 0.3

    public init(
        samples: [Float], fragments: [ArrivalClock.Fragment], sampleRate: Double,
        stalls: [MachineStall]? = nil
    ) {
        self.samples = samples
        self.fragments = fragments
        self.sampleRate = sampleRate
        self.stalls = stalls
    }

    /// Sets all results except the cost.
    ///
    /// - Throws: ``BenchError`` if the peer's sequence is not in the recording, or the recording has a wrong clock.
    public func fill(_ result: inout OutputResult, from log: PeerLog) throws(BenchError) {
        guard let clock = ArrivalClock(fragments, sampleRate: sampleRate) else {
            throw BenchError("nothing was recorded")
        }
        let played = log.lanes.first { !$0.isInput }?.frames ?? 0
        let reference = ReferenceNoise(stream: 0, frames: played, amplitude: log.amplitude)
        let alignment = Aligner.align(samples, to: reference)
        guard !alignment.segments.isEmpty else { throw BenchError("its noise was not audible") }

        let audible = alignment.capturedRange
        let steadyStart = audible.lowerBound + Int(warmUpSeconds * sampleRate)
        let steadyEnd = max(steadyStart + 1, audible.upperBound - Int(coolDownSeconds * sampleRate))
        result.countedSeconds = Double(steadyEnd - steadyStart) / sampleRate
        let steadyBegan = clock.nanoseconds(ofFrame: Double(steadyStart))
        let steady = steadyBegan...max(steadyBegan, clock.nanoseconds(ofFrame: Double(steadyEnd)))
        for gap in alignment.gaps {
            let isEarly = gap.captureStart < steadyStart
            count(gap, from: audible.lowerBound, in: isEarly ? \.startGaps : \.gaps, of: &result)
        }
        result.stalls = stalls.map { stalls in
            OutputResult.Stalls(stalls.filter { steady.contains($0.beginNanoseconds) })
        }
        let trip = RoundTrip(
            callbacks: log.outputs, alignment: alignment, range: steady,
            nanosecondsOfFrame: clock.nanoseconds(ofFrame:))
        result.latency = trip.latency?.scaled(by: 1e-6)
        // If the machine stalls for half a second, the sink's clock is wrong afterwards.
        if let median = result.latency?.median, median < 0 {
            throw BenchError("the recording has lost its time: sound came before its callback")
        }
        if let stalls, let latency = result.latency?.median {
            let times = alignment.gaps.filter { $0.captureStart >= steadyStart }
                .map { clock.nanoseconds(ofFrame: Double($0.captureStart)) }
            result.gaps.besideStalls =
                times.count { time in
                    stalls.contains { $0.explains(gapAt: time, latencyMilliseconds: latency) }
                }
        }
        result.predictionError = trip.predictionError?.scaled(by: 1e-6)
        result.inaudible = trip.inaudible
        result.latencyHistogram = Histogram(trip.samples.map { $0.latencyNanoseconds / 1e6 })
        result.latencySeries = series(trip, from: steady.lowerBound)
        let intervals = Self.intervals(log.outputs, in: steady)
        result.interval = Summary(intervals)
        result.intervalHistogram = Histogram(intervals)
        result.underruns = log.underruns
        result.notes = log.notes
        result.fragmentLateness = [
            clock.lateness.medianNanoseconds / 1e6, clock.lateness.largestNanoseconds / 1e6,
        ]
        result.sinkPeriod = clock.burstFrames * 1000 / sampleRate
        result.isExact = alignment.isExact
        result.gain = alignment.gain
        result.fraction = alignment.fraction
    }

    private func count(
        _ gap: Alignment.Gap, from start: Int, in gaps: WritableKeyPath<OutputResult, OutputResult.Gaps>,
        of result: inout OutputResult
    ) {
        let milliseconds = Double(gap.frames) * 1000 / sampleRate
        result[keyPath: gaps].number += 1
        result[keyPath: gaps].totalMilliseconds += milliseconds
        result[keyPath: gaps].longestMilliseconds = max(
            milliseconds, result[keyPath: gaps].longestMilliseconds)
        if result[keyPath: gaps].first.count < 50 {
            result[keyPath: gaps].first.append([Double(gap.captureStart - start) / sampleRate, milliseconds])
        }
    }

    /// Returns the times between callbacks that were entered within `range`, in milliseconds.
    public static func intervals(_ callbacks: [CallbackRecord], in range: ClosedRange<Double>) -> [Double] {
        zip(callbacks, callbacks.dropFirst())
            .filter { range.contains($0.entryNanoseconds) && range.contains($1.entryNanoseconds) }
            .map { ($1.entryNanoseconds - $0.entryNanoseconds) / 1e6 }
    }

    /// Returns the latest callback of each group, so that a plot shows all outliers.
    private func series(_ trip: RoundTrip, from start: Double, points: Int = 200) -> [[Double]] {
        let stride = max(1, trip.samples.count / points)
        return Swift.stride(from: 0, to: trip.samples.count, by: stride).compactMap { first in
            trip.samples[first..<min(first + stride, trip.samples.count)]
                .max { $0.latencyNanoseconds < $1.latencyNanoseconds }
                .map { [($0.entryNanoseconds - start) / 1e9, $0.latencyNanoseconds / 1e6] }
        }
    }
}
