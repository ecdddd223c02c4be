// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// A conversion of the samples, channels and bit depth of interleaved linear PCM at one rate.
///
/// The conversion is a chain of steps. A single step processes all frames at once. Several steps process blocks,
/// through two scratch memories that stay in the cache. Samples become floats only if they are mixed or dithered.
final class FrameConversion {
    let inputFormat: AudioStreamBasicDescription
    let outputFormat: AudioStreamBasicDescription

    private enum Step {
        case encode(LinearPCMConverter)
        case select(ChannelSelector)
        case mix(ChannelMixer)
        case dither(Ditherer)
    }

    private let steps: [Step]
    /// The size of a frame in bytes before each step, and after the last.
    private let bytesPerFrame: [Int]
    private let blockFrames: Int
    private let scratch: [ScratchMemory]

    /// The loss of bits that dither hides.
    struct Dither {
        var kind: DitherKind
        var seed: UInt64
        /// The remaining bit depth; nil for that of the output.
        var bits: Int?
        /// Whether samples were computed, and therefore have more bits than their format.
        var isArithmetic = false
    }

    /// - Parameters:
    ///   - matrix: The mix from the channels of `input` to those of `output`; nil to pass them unchanged.
    init(
        from input: AudioStreamBasicDescription, to output: AudioStreamBasicDescription,
        matrix: ChannelMatrix?, dither: Dither
    ) throws(CodecError) {
        inputFormat = input
        outputFormat = output
        var plan = Plan(at: input)
        if let matrix, matrix.map == nil {
            try plan.encode(as: plan.floats)
            plan.append(.mix(ChannelMixer(matrix: matrix)), channels: matrix.outputs)
        }
        let source = try SampleLayout(of: plan.format)
        let target = try SampleLayout(of: output)
        let bits = min(dither.bits ?? target.bits, target.bits)
        let dropsBits = source.isFloat || dither.isArithmetic || source.bits > bits
        let isDithering = dither.kind != .none && !target.isFloat && 1..<32 ~= bits && dropsBits
        if isDithering {
            // Required even for doubles, because those of a caller may be unaligned.
            plan.append(
                .encode(try LinearPCMConverter(from: plan.format, to: plan.doubles)), format: plan.doubles)
        } else {
            // Samples are converted where there are fewer: before the selection if that adds channels, otherwise
            // after.
            if plan.channels < Int(output.mChannelsPerFrame) { try plan.encode(as: output) }
        }
        if let map = matrix?.map, matrix?.isIdentity == false {
            let selector = try ChannelSelector(of: plan.format, inputs: plan.channels, map: map)
            plan.append(.select(selector), channels: map.count)
        }
        if isDithering {
            let ditherer = Ditherer(
                bits: bits, channels: plan.channels, kind: dither.kind, seed: dither.seed)
            plan.append(.dither(ditherer), format: plan.integers)
        }
        try plan.encode(as: output)
        switch plan.steps.last {
        case nil, .dither:
            // A chain has at least one step. The ditherer writes aligned memory, which the output may not be.
            let converter = try LinearPCMConverter(
                from: plan.format, to: output.with(channels: plan.channels))
            plan.append(.encode(converter), format: output)
        default: break
        }
        steps = plan.steps
        bytesPerFrame = plan.bytesPerFrame
        let widest = bytesPerFrame.max() ?? 1
        blockFrames = max(1, min(2048, (1 << 17) / widest))
        let scratchBytes = steps.count > 1 ? blockFrames * widest : 0
        scratch = [ScratchMemory(byteCount: scratchBytes), ScratchMemory(byteCount: scratchBytes)]
    }

    /// Whether samples are computed, not only copied and rounded.
    var isMixing: Bool {
        steps.contains { if case .mix = $0 { true } else { false } }
    }

    /// Resets the noise and the errors of dithering.
    func reset() {
        for case .dither(let ditherer) in steps { ditherer.reset() }
    }

    /// Converts `frames` frames.
    ///
    /// SAFETY: the caller has checked that both memories hold the frames and do not overlap. Any alignment is
    /// allowed.
    @unsafe
    func convert(
        frames: Int, from: UnsafeRawPointer, to: UnsafeMutableRawPointer
    ) throws(CodecError) {
        if steps.count == 1 {
            try unsafe run(steps[0], frames, from, bytesPerFrame[0], to, bytesPerFrame[1])
            return
        }
        let last = steps.count - 1
        var done = 0
        while done < frames {
            let count = min(blockFrames, frames - done)
            var source = unsafe from + done * bytesPerFrame[0]
            for (index, step) in steps.enumerated() {
                let isLast = index == last
                let target = unsafe isLast ? to + done * bytesPerFrame[index + 1] : scratch[index & 1].start
                try unsafe run(step, count, source, bytesPerFrame[index], target, bytesPerFrame[index + 1])
                unsafe source = UnsafeRawPointer(target)
            }
            done += count
        }
    }

    private func run(
        _ step: Step, _ frames: Int, _ from: UnsafeRawPointer, _ fromBytes: Int,
        _ to: UnsafeMutableRawPointer, _ toBytes: Int
    ) throws(CodecError) {
        switch step {
        case .encode(let converter):
            try unsafe converter.convert(
                UnsafeRawBufferPointer(start: from, count: frames * fromBytes),
                into: UnsafeMutableRawBufferPointer(start: to, count: frames * toBytes))
        case .select(let selector): unsafe selector.select(frames: frames, from: from, to: to)
        case .mix(let mixer): unsafe mixer.mix(frames: frames, from: from, to: to)
        case .dither(let ditherer):
            // SAFETY: the step is neither the first nor the last, so both memories are scratch, and aligned.
            unsafe ditherer.dither(
                frames: frames, from: from.assumingMemoryBound(to: Double.self),
                to: to.assumingMemoryBound(to: Int32.self))
        }
    }

    /// The steps so far, and the format after them.
    private struct Plan {
        var steps: [Step] = []
        var format: AudioStreamBasicDescription
        var bytesPerFrame: [Int]

        init(at format: AudioStreamBasicDescription) {
            self.format = format
            bytesPerFrame = [Int(format.mBytesPerFrame)]
        }

        var channels: Int { Int(format.mChannelsPerFrame) }
        var floats: AudioStreamBasicDescription {
            .float(channels: channels, sampleRate: format.mSampleRate)
        }
        var doubles: AudioStreamBasicDescription {
            .float(bits: 64, channels: channels, sampleRate: format.mSampleRate)
        }
        var integers: AudioStreamBasicDescription {
            .signedInteger(bits: 32, channels: channels, sampleRate: format.mSampleRate)
        }

        mutating func append(_ step: Step, format: AudioStreamBasicDescription) {
            steps.append(step)
            self.format = format
            bytesPerFrame.append(Int(format.mBytesPerFrame))
        }

        mutating func append(_ step: Step, channels: Int) {
            append(step, format: format.with(channels: channels))
        }

        /// Adds a step to the samples of `target`, unless they are the same.
        mutating func encode(as target: AudioStreamBasicDescription) throws(CodecError) {
            let next = target.with(channels: channels)
            guard try SampleLayout(of: format) != SampleLayout(of: next) else { return }
            append(.encode(try LinearPCMConverter(from: format, to: next)), format: next)
        }
    }
}

extension AudioStreamBasicDescription {
    /// The format with the same samples, interleaved, and `channels` channels.
    func with(channels: Int) -> AudioStreamBasicDescription {
        var result = self
        let container = UInt32(sampleContainerBytes ?? 0)
        result.mFormatFlags &= ~kAudioFormatFlagIsNonInterleaved
        result.mChannelsPerFrame = UInt32(channels)
        result.mBytesPerFrame = container * UInt32(channels)
        result.mBytesPerPacket = result.mBytesPerFrame
        return result
    }
}
