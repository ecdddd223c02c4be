// SPDX-License-Identifier: MIT

/// Adds echoes to slices: a delay line for each channel, whose filtered output is fed back.
///
/// Used by one thread at a time.
final class EchoLine {
    struct Settings {
        /// The delay, 1 to the largest one.
        var delayFrames: Int
        /// The part of an echo that is repeated, -1 to 1.
        var feedback: Float
        /// The coefficient of the low-pass filter that each echo passes.
        var smoothing: Float
        /// The gains of input and echoes.
        var dry: Float
        var wet: Float
    }

    private let memory: PlanarMemory
    /// The state of each channel's filter.
    private var filtered: [Float]
    /// The position in the memory at which the next frame is stored.
    private var position = 0
    /// The number of the last frames that stored nothing audible.
    private var quietFrames = 0

    init(channels: Int, maximumDelay: Int) {
        memory = PlanarMemory(channels: channels, capacityFrames: maximumDelay + 1)
        filtered = Array(repeating: 0, count: channels)
    }

    /// Replaces samples by the mix with their echoes.
    func process(_ samples: PlanarSamples, _ settings: Settings) {
        let length = memory.capacityFrames
        let ring = memory.prefix(length)
        let delay = max(1, min(settings.delayFrames, length - 1))
        var energy: Float = 0
        var done = 0
        while done < samples.frames {
            let start = position >= delay ? position - delay : position - delay + length
            // Neither position exceeds the memory during a run.
            let count = min(samples.frames - done, length - max(start, position))
            for channel in 0..<samples.channels {
                energy += unsafe run(
                    samples[channel] + done, reading: ring[channel] + start,
                    writing: ring[channel] + position, frames: count, &filtered[channel], settings)
            }
            done += count
            position += count
            if position == length { position = 0 }
        }
        finishSlice(frames: samples.frames, energy)
    }

    /// Processes frames of a channel, and returns the sum of the squares of what is stored.
    @unsafe private func run(
        _ samples: UnsafeMutablePointer<Float>, reading old: UnsafeMutablePointer<Float>,
        writing new: UnsafeMutablePointer<Float>, frames: Int, _ state: inout Float, _ settings: Settings
    ) -> Float {
        var (echo, energy) = (state, Float(0))
        for frame in 0..<frames {
            let input = unsafe samples[frame]
            let delayed = unsafe old[frame]
            echo += settings.smoothing * (delayed - echo)
            let stored = input + settings.feedback * echo
            unsafe new[frame] = stored
            energy += stored * stored
            unsafe samples[frame] = settings.dry * input + settings.wet * echo
        }
        state = echo.settled
        return energy
    }

    private func finishSlice(frames: Int, _ energy: Float) {
        guard energy.isFinite else { return clear() }
        quietFrames = energy < EffectState.silentEnergy ? quietFrames + frames : 0
    }

    /// Whether all echoes have decayed.
    var isQuiet: Bool {
        quietFrames >= memory.capacityFrames && filtered.allSatisfy { abs($0) < EffectState.silence }
    }

    /// Drops all echoes.
    func clear() {
        memory.prefix(memory.capacityFrames).silence()
        for channel in filtered.indices { filtered[channel] = 0 }
        (position, quietFrames) = (0, 0)
    }
}
