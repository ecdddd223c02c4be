// SPDX-License-Identifier: MIT

import CAQSoxr

/// A resampler that plays interleaved 32-bit floats faster or slower, like a tape: the pitch follows the rate.
///
/// libsoxr converts, and removes aliases and images at every rate. The rate of each output frame is exact: N frames
/// at one rate become N / rate frames, rounded up. Used by one thread at a time.
@safe package final class VarispeedResampler {
    private static let rates: ClosedRange<Double> = 0.5...2
    /// The number of input frames that the library's filters hold.
    package static let heldFrames = 240
    /// The number of output frames to drop because of the delay of the library's filters, 1.6 to 1.9 frames.
    private static let delayFrames = 2
    /// The number of silent frames after the end, from which the filters make the last frames even at the lowest
    /// rate.
    private static let paddingFrames = 16

    // SAFETY: made by the initialiser, freed by deinit, and used by one thread at a time.
    private let handle: OpaquePointer
    private let channels: Int
    private var rate = 1.0
    /// The duration of the input that has not been output, in frames.
    private var framesLeft = 0.0
    private var framesToDrop = VarispeedResampler.delayFrames
    private var isFinishing = false

    /// The reason why libsoxr cannot be loaded, with the package that has it; nil if it can.
    package static var failure: String? {
        let reason = unsafe String(cString: aq_soxr_failure())
        return reason.isEmpty ? nil : reason
    }

    /// Prepares a stream; nil if the library cannot be loaded, or the number of channels is not 1 to 1024.
    package init?(channels: Int) {
        var reason: UnsafePointer<CChar>?
        guard 1...1024 ~= channels,
            let handle = unsafe aq_soxr_create(Self.rates.upperBound, UInt32(channels), &reason)
        else { return nil }
        unsafe self.handle = handle
        self.channels = channels
    }

    deinit { unsafe aq_soxr_delete(handle) }

    /// Sets the ratio of input to output for the next output frames: 0.5 to 2, initially 1.
    package func setRate(_ rate: Double) {
        self.rate = max(Self.rates.lowerBound, min(rate, Self.rates.upperBound))
    }

    /// Takes all frames. They are lost if memory is insufficient.
    package func put(_ frames: UnsafePointer<Float>, count: Int) {
        guard count > 0, unsafe aq_soxr_put(handle, frames, count) == nil else { return }
        framesLeft += Double(count)
    }

    /// Marks the end of the input, so that held frames become ready.
    package func finish() {
        let silence = [Float](repeating: 0, count: Self.paddingFrames * channels)
        if !isFinishing { unsafe _ = aq_soxr_put(handle, silence, Self.paddingFrames) }
        isFinishing = true
    }

    /// Drops all frames. The rate remains.
    package func restart() {
        // If memory for a new stream is insufficient, nothing is output afterwards.
        unsafe _ = aq_soxr_clear(handle)
        (framesLeft, framesToDrop, isFinishing) = (0, Self.delayFrames, false)
    }

    /// Outputs frames that are ready, and returns their number; 0 if more input is required.
    package func take(into output: UnsafeMutablePointer<Float>, capacity: Int) -> Int {
        while framesToDrop > 0 {
            let count = unsafe convert(into: output, frames: min(framesToDrop, capacity))
            guard count > 0 else { return 0 }
            framesToDrop -= count
        }
        // The sum of many rates has an error of up to a millionth of a frame.
        let rest = isFinishing ? Int((framesLeft / rate - 1e-6).rounded(.up)) : capacity
        let count = unsafe convert(into: output, frames: min(rest, capacity))
        framesLeft -= Double(count) * rate
        return count
    }

    private func convert(into output: UnsafeMutablePointer<Float>, frames: Int) -> Int {
        var (taken, given) = (0, 0)
        guard frames > 0, unsafe aq_soxr_set_ratio(handle, rate) == nil else { return 0 }
        // SAFETY: `output` has room for the frames, and no input is read.
        if isFinishing {
            unsafe _ = aq_soxr_finish(handle, output, frames, &given)
        } else {
            unsafe _ = aq_soxr_process(handle, output, 0, &taken, output, frames, &given)
        }
        return given
    }
}
