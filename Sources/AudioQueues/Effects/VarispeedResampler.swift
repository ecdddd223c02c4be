import Glibc

/// Plays faster or slower, like a tape: the pitch follows the rate.
///
/// Each output frame is interpolated from its neighbours by a windowed sinc, which also removes frequencies
/// above half the sample rate. At rate 1 the frames are unchanged.
@safe final class VarispeedResampler: TimeStretcher {
    /// Zero crossings of the sinc on each side.
    private static let crossings = 16
    private static let rates: ClosedRange<Double> = 0.5...2
    /// The largest number of frames on each side that contribute to one.
    private static let reach = crossings * 2
    /// Points of the table between two zero crossings.
    private static let pointsPerCrossing = 512
    /// One side of the windowed sinc, and one more point, for the interpolation.
    private static let table = makeTable()

    private let channels: Int
    /// The frames that may still be needed; begins `reach` frames before the first, which are silent.
    private let fifo: FrameFIFO
    private let table = VarispeedResampler.table
    private var rate = 1.0
    /// The position of the next frame in the FIFO.
    private var position = Double(VarispeedResampler.reach)
    /// The position of the sequence's end in the FIFO, when it is known.
    private var end: Double?

    init(channels: Int) {
        self.channels = max(channels, 1)
        fifo = FrameFIFO(channels: self.channels, capacityFrames: 8192)
        fifo.putSilence(frames: VarispeedResampler.reach)
    }

    var latencyFrames: Int { VarispeedResampler.reach }

    func setRate(_ rate: Double) { self.rate = rate.clamped(to: VarispeedResampler.rates) }

    func setPitch(cents: Double) {}

    func put(_ frames: UnsafePointer<Float>, count: Int) {
        guard count > 0 else { return }
        unsafe fifo.room(frames: count).update(from: frames, count: count * channels)
        fifo.didPut(frames: count)
    }

    func finish() {
        guard end == nil else { return }
        end = Double(fifo.frames)
        fifo.putSilence(frames: VarispeedResampler.reach + 1)
    }

    func restart() {
        fifo.removeAll()
        fifo.putSilence(frames: VarispeedResampler.reach)
        position = Double(VarispeedResampler.reach)
        end = nil
    }

    func take(into output: UnsafeMutablePointer<Float>, capacity: Int) -> Int {
        let limit = end ?? Double(fifo.frames - VarispeedResampler.reach)
        let frames = unsafe fifo.start
        var count = 0
        while count < capacity, position < limit {
            unsafe interpolate(frames, into: output + count * channels)
            position += rate
            count += 1
        }
        // Whole frames that no later one needs.
        let passed = min(max(0, Int(position) - VarispeedResampler.reach), fifo.frames)
        if passed > 0 {
            fifo.drop(frames: passed)
            position -= Double(passed)
            end = end.map { $0 - Double(passed) }
        }
        return count
    }

    /// Makes the frame at `position`.
    private func interpolate(_ frames: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>) {
        let whole = Int(position)
        let part = position - Double(whole)
        if rate <= 1, part == 0 {
            // The sinc is 1 here and 0 at all others.
            for channel in 0..<channels { unsafe output[channel] = frames[whole * channels + channel] }
            return
        }
        // At a higher rate all frequencies that would exceed half the sample rate are removed: a wider sinc.
        let scale = min(1, 1 / rate)
        let reach = Double(VarispeedResampler.crossings) / scale
        let first = max(0, Int((position - reach).rounded(.up)))
        let last = min(fifo.frames - 1, Int(position + reach))
        for channel in 0..<channels { unsafe output[channel] = 0 }
        guard first <= last else { return }
        for index in first...last {
            let factor = Float(weight(at: abs(Double(index) - position) * scale) * scale)
            for channel in 0..<channels {
                unsafe output[channel] += factor * frames[index * channels + channel]
            }
        }
    }

    /// The windowed sinc, at a distance in zero crossings.
    private func weight(at distance: Double) -> Double {
        let point = distance * Double(VarispeedResampler.pointsPerCrossing)
        let index = Int(point)
        guard index + 1 < table.count else { return 0 }
        let part = point - Double(index)
        return table[index] * (1 - part) + table[index + 1] * part
    }

    private static func makeTable() -> [Double] {
        let points = crossings * pointsPerCrossing
        return (0...points + 1).map { index in
            let distance = Double(index) / Double(pointsPerCrossing)
            guard index > 0 else { return 1 }
            // Whole distances are zeros, which the sine does not give exactly.
            guard index % pointsPerCrossing != 0, index < points else { return 0 }
            return sin(.pi * distance) / (.pi * distance) * window(distance / Double(crossings))
        }
    }

    /// Kaiser's window, of about 90 dB, from 1 in the middle to nearly 0 at 1.
    private static func window(_ distance: Double) -> Double {
        let beta = 9.0
        return bessel(beta * (1 - distance * distance).squareRoot()) / bessel(beta)
    }

    /// The modified Bessel function of the first kind and order 0, by its series.
    private static func bessel(_ x: Double) -> Double {
        var (sum, term, divisor) = (1.0, 1.0, 1.0)
        while term > sum * 1e-15 {
            term *= (x / 2 / divisor) * (x / 2 / divisor)
            sum += term
            divisor += 1
        }
        return sum
    }
}
