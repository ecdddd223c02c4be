import CSoxr

/// Plays interleaved 32-bit floats faster or slower, like a tape: the pitch follows the rate.
///
/// libsoxr converts, and removes aliases and images at every rate. The rate of each output frame is exact: N
/// frames at one rate give N / rate frames, rounded up. Used by one thread at a time.
@safe package final class VarispeedResampler {
    private static let rates: ClosedRange<Double> = 0.5...2
    /// The delay of the library's filters, 1.6 to 1.9 output frames, as far as it can be removed.
    private static let delayFrames = 2
    /// Silence after the end, from which the filters make the last frames, at the lowest rate too.
    private static let paddingFrames = 16

    // SAFETY: made by the initialiser, freed by deinit, and used by one thread at a time.
    private let handle: OpaquePointer
    private let channels: Int
    private var rate = 1.0
    /// The input that has not been output, in frames.
    private var framesLeft = 0.0
    /// The number of output frames to drop next.
    private var framesToDrop = VarispeedResampler.delayFrames
    private var isFinishing = false

    /// Prepares a stream; nil if the library cannot be loaded, or for a number of channels that is not 1 to
    /// 1024.
    package init?(channels: Int) {
        var reason: UnsafePointer<CChar>?
        guard 1...1024 ~= channels,
            let handle = unsafe aq_soxr_create(
                Self.rates.upperBound, 1, UInt32(channels), aq_soxr_variable, &reason)
        else { return nil }
        unsafe self.handle = handle
        self.channels = channels
    }

    deinit { unsafe aq_soxr_delete(handle) }

    /// Sets the ratio of input to output for the next output frames: 0.5 to 2, initially 1.
    package func setRate(_ rate: Double) {
        self.rate = max(Self.rates.lowerBound, min(rate, Self.rates.upperBound))
    }

    /// Takes all frames; they are lost if memory is insufficient.
    package func put(_ frames: UnsafePointer<Float>, count: Int) {
        guard count > 0, unsafe aq_soxr_put(handle, frames, count) == nil else { return }
        framesLeft += Double(count)
    }

    /// Marks the end of the input: held frames become ready.
    package func finish() {
        let silence = [Float](repeating: 0, count: Self.paddingFrames * channels)
        if !isFinishing { unsafe _ = aq_soxr_put(handle, silence, Self.paddingFrames) }
        isFinishing = true
    }

    /// Drops all frames, as before the first; the rate remains.
    package func restart() {
        // Without memory for a new stream, nothing is output any more.
        unsafe _ = aq_soxr_clear(handle)
        (framesLeft, framesToDrop, isFinishing) = (0, Self.delayFrames, false)
    }

    /// Outputs and removes the frames that are ready; 0 if more have to be added first.
    package func take(into output: UnsafeMutablePointer<Float>, capacity: Int) -> Int {
        while framesToDrop > 0 {
            let count = unsafe convert(into: output, frames: min(framesToDrop, capacity))
            guard count > 0 else { return 0 }
            framesToDrop -= count
        }
        // The sum of many rates is less exact than a millionth of a frame.
        let rest = isFinishing ? Int((framesLeft / rate - 1e-6).rounded(.up)) : capacity
        let count = unsafe convert(into: output, frames: min(rest, capacity))
        framesLeft -= Double(count) * rate
        return count
    }

    private func convert(into output: UnsafeMutablePointer<Float>, frames: Int) -> Int {
        var (taken, given) = (0, 0)
        guard frames > 0, unsafe aq_soxr_set_ratio(handle, rate) == nil else { return 0 }
        // SAFETY: `output` has room for the frames; of the input, none are read.
        if isFinishing {
            unsafe _ = aq_soxr_finish(handle, output, frames, &given)
        } else {
            unsafe _ = aq_soxr_process(handle, output, 0, &taken, output, frames, &given)
        }
        return given
    }
}
