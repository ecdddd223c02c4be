// SPDX-License-Identifier: MIT

import CAQSoxr

/// A resampler that plays interleaved 32-bit floats faster or slower, like a tape: the pitch follows the rate.
///
/// libsoxr converts, and removes aliases and images at every rate. The rate of each output frame is exact: N frames
/// at one rate become N / rate frames, rounded up. Used by one thread at a time. Allocates memory when it is made, and
/// later only if more than ``roomFrames`` frames wait.
///
/// The library's stream never ends, because a new one would allocate memory: a sequence of frames begins and ends with
/// silence, whose output is dropped.
@safe package final class VarispeedResampler {
    private static let rates: ClosedRange<Double> = 0.5...2
    /// The number of input frames that the library's filters hold.
    package static let heldFrames = 240
    /// The number of frames that may wait without further memory.
    package static let roomFrames = 4_096
    /// The delay of the library's filters at low frequencies, in output frames, and the number of frames to drop for it.
    private static let delay = 1.8636
    private static let delayFrames = 2
    /// The number of silent frames between two sequences. After it, white noise rings at -88 dB near half the sample rate.
    private static let silentFrames = 1_024
    /// The number of silent frames after the end, from which the filters make the last frames even at the highest rate.
    private static let paddingFrames = heldFrames + 16

    // SAFETY: `handle` and `silence` are made by the initialiser, freed by deinit, and used by one thread at a time.
    private let handle: OpaquePointer
    private let silence: UnsafeMutablePointer<Float>
    private let channels: Int
    private var rate = 1.0
    /// The duration of the input that has not been output, in frames.
    private var framesLeft = 0.0
    /// The duration from the library's position to the end of its input, in frames.
    private var framesAhead = 0.0
    /// The part of ``framesAhead`` before the sequence, and the number of output frames for it: 0 before the first.
    private var skip = (input: 0.0, output: 0)
    private var framesToDrop = VarispeedResampler.delayFrames
    private var isFinishing = false
    /// Whether the sequence has no frames so far.
    private var isEmpty = true

    /// The reason why libsoxr cannot be loaded, with the package that has it; nil if it can.
    package static var failure: String? {
        let reason = unsafe String(cString: aq_soxr_failure())
        return reason.isEmpty ? nil : reason
    }

    /// Prepares a stream; nil if the library cannot be loaded, or the number of channels is not 1 to 1024.
    package init?(channels: Int) {
        guard 1...1024 ~= channels,
            let handle = unsafe aq_soxr_create(Self.rates.upperBound, UInt32(channels))
        else { return nil }
        unsafe self.handle = handle
        self.channels = channels
        unsafe silence = .allocate(capacity: Self.silentFrames * channels)
        unsafe silence.initialize(repeating: 0, count: Self.silentFrames * channels)
        growMemory()
    }

    deinit {
        unsafe aq_soxr_delete(handle)
        unsafe silence.deallocate()
    }

    /// Makes the library allocate the memory that it needs later.
    private func growMemory() {
        // The memory of each of its stages grows by the size of the largest input so far if less than 8192 samples of
        // its beginning are free. One stage works at rates below 1, and one at all others.
        let inputFrames = 2 * Self.roomFrames
        var samples = [Float](repeating: 0, count: inputFrames * channels)
        unsafe samples.withUnsafeMutableBufferPointer { samples in
            guard let start = samples.baseAddress else { return }
            // At the highest rate the first output frame is at the first input frame.
            unsafe _ = aq_soxr_set_ratio(handle, Self.rates.upperBound)
            unsafe put(start, count: inputFrames)
            unsafe _ = convert(into: start, frames: 512, rate: 0.9375)
            let frames = Int(framesAhead / 2) - Self.silentFrames
            unsafe _ = convert(into: start, frames: frames, rate: Self.rates.upperBound)
        }
        (framesLeft, skip, isEmpty) = (0, (framesAhead, 0), true)
    }

    /// Sets the ratio of input to output for the next output frames: 0.5 to 2, initially 1.
    package func setRate(_ rate: Double) {
        self.rate = max(Self.rates.lowerBound, min(rate, Self.rates.upperBound))
    }

    /// Takes all frames. They are lost if memory is insufficient.
    package func put(_ frames: UnsafePointer<Float>, count: Int) {
        guard count > 0, unsafe aq_soxr_put(handle, frames, count) == nil else { return }
        framesLeft += Double(count)
        framesAhead += Double(count)
        isEmpty = false
    }

    private func putSilence(_ count: Int) {
        guard unsafe aq_soxr_put(handle, silence, count) == nil else { return }
        framesAhead += Double(count)
        isEmpty = false
    }

    /// Marks the end of the input, so that held frames become ready.
    package func finish() {
        if !isFinishing { putSilence(Self.paddingFrames) }
        isFinishing = true
    }

    /// Drops all frames. The rate remains.
    package func restart() {
        if !isEmpty {
            putSilence(Self.silentFrames)
            (skip, isEmpty) = ((framesAhead, 0), true)
        }
        (framesLeft, framesToDrop, isFinishing) = (0, Self.delayFrames, false)
    }

    /// Outputs frames that are ready, and returns their number; 0 if more input is required.
    package func take(into output: UnsafeMutablePointer<Float>, capacity: Int) -> Int {
        guard capacity > 0, unsafe dropSkipped(into: output, capacity: capacity) else { return 0 }
        let rate = Self.libraryRate(rate)
        while framesToDrop > 0 {
            let count = unsafe convert(into: output, frames: min(framesToDrop, capacity), rate: rate)
            guard count > 0 else { return 0 }
            framesToDrop -= count
        }
        // The sum of many rates has an error of up to a millionth of a frame.
        let rest = isFinishing ? Int((framesLeft / self.rate - 1e-6).rounded(.up)) : capacity
        let count = unsafe convert(into: output, frames: min(rest, capacity), rate: rate)
        framesLeft -= Double(count) * self.rate
        return count
    }

    /// Drops output up to the first frame of the sequence; returns false if more input is required.
    private func dropSkipped(into output: UnsafeMutablePointer<Float>, capacity: Int) -> Bool {
        guard skip.input > 0 else { return true }
        if skip.output == 0 {
            skip.input -= Self.rounded((Double(Self.delayFrames) - Self.delay) * rate)
            // On the same side of 1 as the rate, so that the library is ready for it.
            skip.output = Int(skip.input) + (rate < 1 ? 2 : -2)
        }
        while skip.output > 0 {
            // The last of these frames alone ends exactly at the beginning of the sequence.
            let rate = skip.output == 1 ? skip.input : Self.rounded(skip.input / Double(skip.output))
            let frames = min(max(1, skip.output - 1), capacity)
            let count = unsafe convert(into: output, frames: frames, rate: rate)
            guard count > 0 else { return false }
            skip.output -= count
            skip.input -= Double(count) * rate
        }
        return true
    }

    /// The ratio that the library receives for a rate.
    private static func libraryRate(_ rate: Double) -> Double {
        let rounded = rounded(rate)
        // QUIRK: after a rate below 1, libsoxr 0.1.3 removes no aliases at the exact multiples of a half.
        return rate > 1 && rate * 2 == (rate * 2).rounded() ? rounded - resolution : rounded
    }

    /// The library's steps are multiples of smaller fractions, so that sums of such rates are exact.
    private static let resolution = 0x1p-30

    private static func rounded(_ rate: Double) -> Double { (rate / resolution).rounded() * resolution }

    private func convert(into output: UnsafeMutablePointer<Float>, frames: Int, rate: Double) -> Int {
        var given = 0
        guard frames > 0, unsafe aq_soxr_set_ratio(handle, rate) == nil else { return 0 }
        // SAFETY: `output` has room for the frames.
        unsafe _ = aq_soxr_take(handle, output, frames, &given)
        framesAhead -= Double(given) * rate
        return given
    }
}
