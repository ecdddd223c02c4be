// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// A conversion of the samples, channels, rate and bit depth of interleaved linear PCM.
///
/// Channels are mixed where there are fewer: before resampling if the mix reduces them, otherwise after.
final class FramePipeline {
    let inputFormat: AudioStreamBasicDescription
    let outputFormat: AudioStreamBasicDescription

    /// The conversion between the input and the rate converter, or the output if there is none.
    private let before: FrameConversion
    private let rate: RateConverter?
    /// The conversion between the rate converter and the output.
    private let after: FrameConversion?

    /// The settings of the rate converter.
    struct RateSettings {
        var quality = RateQuality.high
        var phase = RatePhase.linear
        var hasLatency = false
    }

    private static let blockFrames = 4096
    /// Frames that wait for the rate converter, which may take only some.
    private let waiting: ScratchMemory
    private var waitingStart = 0
    private var waitingFrames = 0
    private let given: ScratchMemory
    private var isFinishing = false

    /// - Parameters:
    ///   - matrix: The mix from the channels of `input` to those of `output`; nil to pass them unchanged.
    ///   - other: A pipeline that is not used any more, whose rate converter is used if it fits: its filter takes longer
    ///     to make than all the rest.
    init(
        from input: AudioStreamBasicDescription, to output: AudioStreamBasicDescription,
        matrix: ChannelMatrix?, rate settings: RateSettings, dither: FrameConversion.Dither,
        replacing other: FramePipeline? = nil
    ) throws(CodecError) {
        inputFormat = input
        outputFormat = output
        guard input.mSampleRate != output.mSampleRate else {
            rate = nil
            before = try FrameConversion(from: input, to: output, matrix: matrix, dither: dither)
            after = nil
            waiting = ScratchMemory(byteCount: 0)
            given = ScratchMemory(byteCount: 0)
            return
        }
        let isMixedBefore = output.mChannelsPerFrame <= input.mChannelsPerFrame
        let channels = Int(min(input.mChannelsPerFrame, output.mChannelsPerFrame))
        var undithered = dither
        undithered.kind = .none
        before = try FrameConversion(
            from: input, to: .float(channels: channels, sampleRate: input.mSampleRate),
            matrix: isMixedBefore ? matrix : nil, dither: undithered)
        if let made = other?.rate, made.channels == channels, made.quality == settings.quality,
            made.phase == settings.phase, made.hasLatency == settings.hasLatency
        {
            made.reset()
            rate = made
        } else {
            rate = try RateConverter(
                from: input.mSampleRate, to: output.mSampleRate, channels: channels,
                quality: settings.quality, phase: settings.phase, hasLatency: settings.hasLatency)
        }
        var arithmetic = dither
        arithmetic.isArithmetic = true
        after = try FrameConversion(
            from: .float(channels: channels, sampleRate: output.mSampleRate), to: output,
            matrix: isMixedBefore ? nil : matrix, dither: arithmetic)
        waiting = ScratchMemory(byteCount: Self.blockFrames * channels * 4)
        given = ScratchMemory(byteCount: Self.blockFrames * channels * 4)
    }

    /// The number of input frames that must follow the time of an output frame.
    var delayFrames: Int { rate?.delayFrames ?? 0 }

    /// Returns the number of input frames for a number of output frames, without the filter's delay.
    func inputFrames(forOutput frames: Int) -> Int {
        guard rate != nil else { return frames }
        let exact = Double(frames) * inputFormat.mSampleRate / outputFormat.mSampleRate
        return max(1, Int(exactly: exact.rounded(.up)) ?? .max)
    }

    /// Returns the number of output frames for a stream of `frames` frames.
    func outputFrames(forInput frames: Int64) -> Int64 { rate?.outputFrames(forInput: frames) ?? frames }

    /// Whether channels are mixed, or the rate is converted.
    var isMixing: Bool { rate != nil || before.isMixing }

    /// Drops all input. The next input begins a stream.
    func reset() {
        before.reset()
        after?.reset()
        waitingFrames = 0
        isFinishing = false
        rate?.reset()
    }

    /// Takes frames and returns those that are ready and fit.
    ///
    /// A call may take no frames or return none. Repeat it until it does neither. Without input it returns frames
    /// that are ready; after ``finish(to:room:)`` none.
    ///
    /// SAFETY: the caller has checked that `from` holds `frames` frames, and `to` has room for `room`.
    @unsafe
    func convert(
        frames: Int, from: UnsafeRawPointer?, to: UnsafeMutableRawPointer, room: Int
    ) throws(CodecError) -> RateConverter.Progress {
        guard let rate else {
            let count = min(frames, room)
            if count > 0, let from = unsafe from {
                try unsafe before.convert(frames: count, from: from, to: to)
            }
            return RateConverter.Progress(framesTaken: count, framesGiven: count)
        }
        guard !isFinishing else { return RateConverter.Progress(framesTaken: 0, framesGiven: 0) }
        var taken = 0
        if waitingFrames == 0, let from = unsafe from, frames > 0 {
            taken = min(frames, Self.blockFrames)
            try unsafe before.convert(frames: taken, from: from, to: waiting.start)
            waitingStart = 0
            waitingFrames = taken
        }
        let count = try unsafe give(to: to, room: room) { (output) throws(CodecError) -> Int in
            let step = try unsafe rate.convert(waitingInput(rate), into: output)
            waitingStart += step.framesTaken
            waitingFrames -= step.framesTaken
            return step.framesGiven
        }
        return RateConverter.Progress(framesTaken: taken, framesGiven: count)
    }

    /// Whether ``convert(frames:from:to:room:)`` holds frames that it has not processed.
    var isHoldingFrames: Bool { waitingFrames > 0 }

    /// Marks the end of the input, and returns remaining frames until there are none.
    ///
    /// SAFETY: as for ``convert(frames:from:to:room:)``, which must hold no frames.
    @unsafe
    func finish(to: UnsafeMutableRawPointer, room: Int) throws(CodecError) -> Int {
        guard let rate else { return 0 }
        isFinishing = true
        return try unsafe give(to: to, room: room) { (output) throws(CodecError) -> Int in
            unsafe rate.finish(into: output)
        }
    }

    private func waitingInput(_ rate: RateConverter) -> UnsafeBufferPointer<Float> {
        let start = unsafe waiting.start.assumingMemoryBound(to: Float.self)
        return unsafe UnsafeBufferPointer(
            start: start + waitingStart * rate.channels, count: waitingFrames * rate.channels)
    }

    /// Reads frames from the rate converter, and converts them to frames of the output.
    private func give(
        to: UnsafeMutableRawPointer, room: Int,
        _ write: (UnsafeMutableBufferPointer<Float>) throws(CodecError) -> Int
    ) throws(CodecError) -> Int {
        guard let rate, let after else { return 0 }
        let frames = min(room, Self.blockFrames)
        let output = unsafe UnsafeMutableBufferPointer(
            start: given.start.assumingMemoryBound(to: Float.self), count: frames * rate.channels)
        let count = try unsafe write(output)
        try unsafe after.convert(frames: count, from: given.start, to: to)
        return count
    }
}
