// SPDX-License-Identifier: MIT

import AQCodecs

/// Renders its input at another rate or pitch.
///
/// The input has a time of its own, which counts the frames that were rendered. Used by the rendering thread.
final class SpeedKernel: GraphKernel, @unchecked Sendable {
    // SAFETY: one rendering thread at a time uses the stretcher and the memory.

    /// The number of input frames that are rendered at a time, at most.
    private static let blockFrames = 256
    /// The longest input for which a stretcher may output nothing, in seconds.
    private static let longestDelay = 2.0
    /// The duration of silent input after which a stretcher holds no audible frames, in seconds.
    private static let tailDuration = 1.0

    private let element: SpeedElement
    private let stretcher: any SliceStretcher
    private let sampleRate: Double
    private let channels: Int
    private let block: PlanarMemory
    /// Interleaved frames: those of the block, and the output.
    private let input: PlanarMemory
    private let output: PlanarMemory
    private var rate: Float = 1
    private var pitch: Float = 0
    /// The input's time of its next frame.
    private var position: Int64 = 0
    /// The number of silent frames since the last audible one.
    private var silentFrames = 0
    /// Whether all frames that the stretcher holds are silent. It is not used until there is audio.
    private var isResting = true
    /// The silent frames of the input that were not passed to the stretcher, and have no output so far.
    private var restingFrames = 0.0

    init(_ element: SpeedElement, _ stretcher: any SliceStretcher, _ setup: KernelSetup) {
        self.element = element
        self.stretcher = stretcher
        sampleRate = setup.output.sampleRate
        channels = setup.output.channels
        block = PlanarMemory(channels: channels, capacityFrames: min(Self.blockFrames, setup.maximumFrames))
        input = PlanarMemory(channels: 1, capacityFrames: block.capacityFrames * channels)
        output = PlanarMemory(channels: 1, capacityFrames: setup.maximumFrames * channels)
    }

    func render(_ target: PlanarSamples, _ call: RenderCall) -> Bool {
        guard !element.bypass.isOn else { return pass(target, call) }
        setControls()
        let longest = Int(Self.longestDelay * sampleRate) + 64 * target.frames
        let samples = unsafe output.prefix(target.frames * channels)[0]
        var (done, fetched, hasOutput) = (0, 0, false)
        while done < target.frames {
            let rest = target.frames - done
            let room = unsafe samples + done * channels
            let given = unsafe isResting ? rested(room, rest) : stretcher.take(into: room, capacity: rest)
            if given > 0 {
                done += given
                if !isResting { hasOutput = true }
                continue
            }
            guard fetched < longest else {
                unsafe room.update(repeating: 0, count: rest * channels)
                break
            }
            let count = blockLength(outputFrames: rest)
            fetch(count, after: fetched, call)
            fetched += count
            if isResting {
                restingFrames += Double(count)
            } else {
                restingFrames = 0
                unsafe stretcher.put(input.prefix(count * channels)[0], count: count)
            }
        }
        unsafe deinterleave(samples, into: target)
        return hasOutput
    }

    /// Outputs silence instead of silent frames of the input, and returns the number of frames.
    @unsafe private func rested(_ room: UnsafeMutablePointer<Float>, _ capacity: Int) -> Int {
        let count = min(capacity, Int(restingFrames / Double(rate)))
        restingFrames -= Double(count) * Double(rate)
        unsafe room.update(repeating: 0, count: count * channels)
        return count
    }

    private func pass(_ target: PlanarSamples, _ call: RenderCall) -> Bool {
        // Frames from before a bypass are not output after it.
        if !isResting { reset() }
        let time = SliceTime(sampleTime: position, hostTime: call.time.hostTime)
        position += Int64(target.frames)
        return call.render(input: 0, target, time: time)
    }

    private func setControls() {
        let (newRate, newPitch) = (element.rate.value, element.pitch.value)
        if newRate != rate {
            rate = newRate
            stretcher.setRate(Double(newRate))
        }
        if newPitch != pitch {
            pitch = newPitch
            stretcher.setPitch(cents: Double(newPitch))
        }
    }

    /// The number of frames to fetch for frames of the output.
    private func blockLength(outputFrames: Int) -> Int {
        let wanted = Int((Double(outputFrames) * Double(rate)).rounded(.up))
        return min(block.capacityFrames, max(16, wanted))
    }

    /// Renders frames of the input, and interleaves them.
    ///
    /// - Parameter fetched: The number of frames that were rendered before in this slice.
    private func fetch(_ frames: Int, after fetched: Int, _ call: RenderCall) {
        let duration = Int((Double(fetched) / Double(rate)).rounded())
        let start = call.time.advanced(frames: duration, sampleRate: sampleRate)
        let slice = block.prefix(frames)
        let hasInput = call.render(
            input: 0, slice, time: SliceTime(sampleTime: position, hostTime: start.hostTime))
        position += Int64(frames)
        if hasInput {
            (silentFrames, isResting) = (0, false)
        } else {
            silentFrames += frames
            if Double(silentFrames) >= Self.tailDuration * sampleRate { isResting = true }
        }
        guard !isResting else { return }
        let frameSamples = unsafe input.prefix(frames * channels)[0]
        for channel in 0..<channels {
            let samples = unsafe slice[channel]
            for frame in 0..<frames { unsafe frameSamples[frame * channels + channel] = samples[frame] }
        }
    }

    @unsafe private func deinterleave(_ frames: UnsafeMutablePointer<Float>, into target: PlanarSamples) {
        for channel in 0..<channels {
            let samples = unsafe target[channel]
            for frame in 0..<target.frames { unsafe samples[frame] = frames[frame * channels + channel] }
        }
    }

    func reset() {
        stretcher.restart()
        (silentFrames, isResting, restingFrames) = (0, true, 0)
    }
}
