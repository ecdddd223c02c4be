// SPDX-License-Identifier: MIT

import CSoxr

/// A converter of interleaved 32-bit floats from one sample rate to another.
///
/// The filter's delay is removed: frame n of the output is at the time n / ``outputRate`` of the input. N frames
/// become exactly ``outputFrames(forInput:)`` frames after ``finish(into:)``, however the input is divided into
/// calls. Used by one thread at a time.
@safe public final class RateConverter {
    /// The sample rate of the input.
    public let inputRate: Double
    /// The sample rate of the output.
    public let outputRate: Double
    /// The number of samples in a frame.
    public let channels: Int
    /// The quality of the conversion.
    public let quality: RateQuality

    // SAFETY: made by the initialiser, freed by deinit, and used by one thread at a time.
    private let handle: OpaquePointer
    private var framesTaken: Int64 = 0
    private var framesGiven: Int64 = 0
    private var isFinishing = false

    /// The sample rates that can be converted.
    public static let rates: ClosedRange<Double> = 1...768_000

    /// The largest ratio of the two rates.
    ///
    /// QUIRK: libsoxr 0.1.3 takes minutes at ratios of some thousands, and crashes in its cubic interpolation.
    public static let maximumRatio: Double = 256

    /// Prepares a conversion. The first conversion of a process loads the library.
    ///
    /// - Parameters:
    ///   - inputRate: A rate in ``rates``, not necessarily a whole number.
    ///   - outputRate: A rate in ``rates``, possibly the same as `inputRate`.
    ///   - channels: The number of channels, 1 to 1024.
    /// - Throws: ``CodecError/Code/unsupportedFormat`` for other rates, rates too far apart and other numbers of
    ///   channels, and if the library cannot be loaded.
    public init(
        from inputRate: Double, to outputRate: Double, channels: Int, quality: RateQuality = .high
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
        let recipe =
            switch quality {
            case .minimum: aq_soxr_quick
            case .low: aq_soxr_low
            case .medium: aq_soxr_medium
            case .high: aq_soxr_high
            case .maximum: aq_soxr_very_high
            }
        var reason: UnsafePointer<CChar>?
        guard let handle = unsafe aq_soxr_create(inputRate, outputRate, UInt32(channels), recipe, &reason)
        else {
            throw unsafe CodecError(.unsupportedFormat, "\(attempt): \(Self.text(reason))")
        }
        unsafe self.handle = handle
        self.inputRate = inputRate
        self.outputRate = outputRate
        self.channels = channels
        self.quality = quality
    }

    deinit {
        unsafe aq_soxr_delete(handle)
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
    /// If there is input, and the output has room, each call takes some input or returns some output.
    ///
    /// - Parameters:
    ///   - input: Whole frames. Frames that were not taken must be passed again.
    ///   - output: Room for whole frames; must not overlap `input`.
    /// - Throws: ``CodecError/Code/encoderFailed`` if no further frame can be converted, and after ``finish(into:)``.
    public func convert(
        _ input: UnsafeBufferPointer<Float>, into output: UnsafeMutableBufferPointer<Float>
    ) throws(CodecError) -> Progress {
        guard !isFinishing else { throw failure("input after the end") }
        guard let from = input.baseAddress, let to = output.baseAddress else {
            return Progress(framesTaken: 0, framesGiven: 0)
        }
        var (taken, given) = (0, 0)
        // SAFETY: both buffers hold as many whole frames as the counts state.
        if let reason = unsafe aq_soxr_process(
            handle, from, input.count / channels, &taken, to, output.count / channels, &given)
        {
            throw unsafe failure(Self.text(reason))
        }
        framesTaken += Int64(taken)
        framesGiven += Int64(given)
        return Progress(framesTaken: taken, framesGiven: given)
    }

    /// Marks the end of the input, and returns the rest of the output. Call this until it returns 0 frames.
    ///
    /// - Returns: The number of frames written.
    /// - Throws: ``CodecError/Code/encoderFailed`` if no further frame can be converted.
    public func finish(into output: UnsafeMutableBufferPointer<Float>) throws(CodecError) -> Int {
        isFinishing = true
        let owed = Int(clamping: outputFrames(forInput: framesTaken) - framesGiven)
        let room = min(output.count / channels, max(owed, 0))
        guard room > 0, let to = output.baseAddress else { return 0 }
        var given = 0
        // SAFETY: the buffer holds `room` frames.
        if let reason = unsafe aq_soxr_finish(handle, to, room, &given) {
            throw unsafe failure(Self.text(reason))
        }
        if given == 0 {
            // The library rounds its own product. If it omits the last frame, this becomes silence.
            unsafe to.update(repeating: 0, count: room * channels)
            given = room
        }
        framesGiven += Int64(given)
        return given
    }

    /// Drops all input. The next input begins a stream.
    ///
    /// - Throws: ``CodecError/Code/encoderFailed`` if memory is insufficient, and then the converter is unusable.
    public func reset() throws(CodecError) {
        framesTaken = 0
        framesGiven = 0
        isFinishing = false
        if let reason = unsafe aq_soxr_clear(handle) { throw unsafe failure(Self.text(reason)) }
    }

    /// Returns the number of output frames for `frames` frames of input: frames × output rate / input rate, rounded
    /// to nearest.
    public func outputFrames(forInput frames: Int64) -> Int64 {
        Self.frames(frames, from: inputRate, to: outputRate)
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

    private static func text(_ reason: UnsafePointer<CChar>?) -> String {
        unsafe reason.map { unsafe String(cString: $0) } ?? "no reason given"
    }

    private func failure(_ reason: String) -> CodecError {
        CodecError(.encoderFailed, "cannot convert \(inputRate) Hz to \(outputRate) Hz: \(reason)")
    }
}
