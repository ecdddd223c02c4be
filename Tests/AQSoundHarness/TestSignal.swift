// SPDX-License-Identifier: MIT

/// A stereo signal in which every frame encodes its own position, up to 2^24 frames (349 s at 48 kHz).
///
/// All samples are between 0.25 and 0.75 in steps that 16-bit PCM represents exactly: never silent, and bit-exact in
/// every format from 16 bits on.
public enum TestSignal {
    private static let steps = 4096
    private static let stepsPerUnit: Float = 8192

    /// Frames that are consecutive both in the recording and in the signal.
    public struct Run: Sendable, Equatable {
        /// The position in the recording.
        public var startFrame: Int
        /// The signal's frame with which it begins.
        public var position: Int
        public var frames: Int

        public init(startFrame: Int, position: Int, frames: Int) {
            self.startFrame = startFrame
            self.position = position
            self.frames = frames
        }
    }

    /// The signal from one of its frames on.
    public static func make(sampleRate: Int, frames: Int, from position: Int = 0) -> Recording {
        var samples: [Float] = []
        samples.reserveCapacity(frames * 2)
        for frame in position..<(position + frames) {
            samples.append(0.25 + Float(frame % steps) / stepsPerUnit)
            samples.append(0.25 + Float(frame / steps % steps) / stepsPerUnit)
        }
        return Recording(sampleRate: sampleRate, channels: 2, samples: samples)
    }

    /// The position that a frame encodes; nil if it is not one of the signal's.
    public static func position(left: Float, right: Float) -> Int? {
        guard let low = step(left), let high = step(right) else { return nil }
        return high * steps + low
    }

    /// The recorded parts of the signal, in order: one run if it is complete, more if frames were lost, repeated or
    /// replaced.
    public static func runs(in recording: Recording) -> [Run] {
        guard recording.channels == 2 else { return [] }
        var runs: [Run] = []
        for frame in 0..<recording.frames {
            let left = recording.samples[2 * frame]
            let right = recording.samples[2 * frame + 1]
            guard let position = position(left: left, right: right) else { continue }
            if let last = runs.last, last.startFrame + last.frames == frame,
                last.position + last.frames == position
            {
                runs[runs.count - 1].frames += 1
            } else {
                runs.append(Run(startFrame: frame, position: position, frames: 1))
            }
        }
        return runs
    }

    private static func step(_ sample: Float) -> Int? {
        let scaled = (sample - 0.25) * stepsPerUnit
        guard scaled >= 0, scaled < Float(steps), scaled == scaled.rounded() else { return nil }
        return Int(scaled)
    }
}
