// SPDX-License-Identifier: MIT

import CAQResampler

/// A converter of interleaved 32-bit floats from one sample rate to another.
///
/// The filter's delay is removed: frame n of the output is at the time n / ``outputRate`` of the input. It is
/// available as soon as ``delayFrames`` frames of the input follow that time. N frames become exactly
/// ``outputFrames(forInput:)`` frames after ``finish(into:)``, however the input is divided into calls. Used by one
/// thread at a time. Only the initialiser allocates memory.
@safe public final class RateConverter {
    /// The sample rate of the input.
    public let inputRate: Double
    /// The sample rate of the output.
    public let outputRate: Double
    /// The number of samples in a frame.
    public let channels: Int
    /// The quality of the conversion.
    public let quality: RateQuality
    /// The phase of the filter.
    public let phase: RatePhase
    /// The number of input frames that must follow the time of an output frame.
    public let delayFrames: Int
    /// Whether ``delayFrames`` silent frames come before the input.
    public let hasLatency: Bool

    // SAFETY: made by the initialiser, freed by deinit, and used by one thread at a time.
    private let handle: OpaquePointer
    private var framesTaken: Int64 = 0
    private var framesGiven: Int64 = 0
    private var isFinishing = false

    private var silentFrames: Int { hasLatency ? delayFrames : 0 }

    /// The sample rates that can be converted.
    public static let rates: ClosedRange<Double> = 1...768_000

    /// The largest ratio of the two rates, which limits the length of the filter.
    public static let maximumRatio: Double = 256

    /// Prepares a conversion.
    ///
    /// - Parameters:
    ///   - inputRate: A rate in ``rates``, not necessarily a whole number.
    ///   - outputRate: A rate in ``rates``, possibly the same as `inputRate`.
    ///   - channels: The number of channels, 1 to 1024.
    ///   - hasLatency: Whether ``delayFrames`` silent frames come before the input, so that there is output from
    ///     the first frame on.
    /// - Throws: ``CodecError/Code/unsupportedFormat`` for other rates, rates too far apart and other numbers of
    ///   channels; ``CodecError/Code/decoderFailed`` if memory is insufficient.
    public init(
        from inputRate: Double, to outputRate: Double, channels: Int, quality: RateQuality = .high,
        phase: RatePhase = .linear, hasLatency: Bool = false
    ) throws(CodecError) {
        let attempt = "cannot convert \(inputRate) Hz to \(outputRate) Hz"
        guard Self.rates.contains(inputRate), Self.rates.contains(outputRate) else {
            throw CodecError(.unsupportedFormat, "\(attempt): rates are 1 to 768000 Hz")
        }
        guard max(inputRate, outputRate) <= Self.maximumRatio * min(inputRate, outputRate) else {
            throw CodecError(
                .unsupportedFormat, "\(attempt): more than \(Int(Self.maximumRatio)) times apart")
        }
        guard 1...1024 ~= channels else {
            throw CodecError(.unsupportedFormat, "\(attempt): \(channels) channels")
        }
        let filter = quality.filter(isMinimumPhase: phase == .minimum)
        guard let handle = unsafe aq_resampler_create(inputRate, outputRate, channels, filter) else {
            throw CodecError(.decoderFailed, "\(attempt): not enough memory")
        }
        unsafe self.handle = handle
        self.inputRate = inputRate
        self.outputRate = outputRate
        self.channels = channels
        self.quality = quality
        self.phase = phase
        delayFrames = unsafe aq_resampler_delay(handle)
        self.hasLatency = hasLatency
        unsafe aq_resampler_begin(handle, silentFrames)
    }

    deinit {
        unsafe aq_resampler_delete(handle)
    }

    /// The result of one call.
    public struct Progress: Sendable, Equatable {
        /// The number of input frames that were taken.
        public var framesTaken: Int
        /// The number of output frames that were written.
        public var framesGiven: Int
    }

    /// Takes input frames, and returns output frames that are ready.
    ///
    /// Takes all of the input unless the output is full.
    ///
    /// - Parameters:
    ///   - input: Whole frames. Frames that were not taken must be passed again.
    ///   - output: Room for whole frames; must not overlap `input`.
    /// - Throws: ``CodecError/Code/encoderFailed`` after ``finish(into:)``.
    public func convert(
        _ input: UnsafeBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>
    ) throws(CodecError) -> Progress {
        guard !isFinishing else {
            throw CodecError(
                .encoderFailed, "cannot convert \(inputRate) Hz to \(outputRate) Hz: input after the end")
        }
        let progress = unsafe process(input.baseAddress, frames: input.count / channels, into: output)
        framesTaken += Int64(progress.framesTaken)
        return progress
    }

    /// Marks the end of the input, and returns the rest of the output. Call this until it returns 0 frames.
    ///
    /// - Returns: The number of frames written.
    public func finish(into output: UnsafeMutableBufferPointer<Float>) -> Int {
        isFinishing = true
        let owed = Int(clamping: outputFrames(forInput: framesTaken) - framesGiven)
        let room = min(output.count / channels, max(owed, 0))
        // Silence follows the input: a few frames more than the output requires.
        let ratio = (inputRate / outputRate).rounded(.up)
        return unsafe process(
            nil, frames: (room + 1) * Int(ratio) + 2 * delayFrames,
            into: UnsafeMutableBufferPointer(rebasing: output.prefix(room * channels))
        ).framesGiven
    }

    /// Converts frames; without an address silence.
    private func process(
        _ input: UnsafePointer<Float>?, frames: Int, into output: UnsafeMutableBufferPointer<Float>
    ) -> Progress {
        guard let to = output.baseAddress, unsafe frames == 0 || input != nil || isFinishing else {
            return Progress(framesTaken: 0, framesGiven: 0)
        }
        var (taken, given) = (0, 0)
        // SAFETY: both buffers hold as many whole frames as the counts state.
        unsafe aq_resampler_process(
            handle, input, frames, &taken, to, output.count / channels, &given)
        framesGiven += Int64(given)
        return Progress(framesTaken: taken, framesGiven: given)
    }

    /// Drops all input. The next input begins a stream.
    public func reset() {
        framesTaken = 0
        framesGiven = 0
        isFinishing = false
        unsafe aq_resampler_begin(handle, silentFrames)
    }

    /// Returns the number of output frames for `frames` frames of input: frames × output rate / input rate, rounded
    /// to nearest. If there is a latency, its frames are included.
    public func outputFrames(forInput frames: Int64) -> Int64 {
        let (sum, overflow) = frames.addingReportingOverflow(Int64(silentFrames))
        return Self.frames(overflow ? .max : sum, from: inputRate, to: outputRate)
    }

    /// Returns `frames` × `output` / `input`, rounded to nearest.
    static func frames(_ frames: Int64, from input: Double, to output: Double) -> Int64 {
        if let from = Int64(exactly: input), let to = Int64(exactly: output), from > 0 {
            // Exact integers: the product of doubles is inexact for streams of many hours.
            let (product, overflow) = frames.multipliedReportingOverflow(by: to)
            if !overflow, product <= .max - from { return (product + from / 2) / from }
        }
        let exact = (Double(frames) * output / input).rounded()
        return Int64(exactly: exact) ?? .max
    }
}
