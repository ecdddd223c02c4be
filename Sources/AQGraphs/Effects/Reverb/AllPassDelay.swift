// SPDX-License-Identifier: MIT

/// A delay line whose output has all frequencies of the input in equal strength, and its echoes closer together.
///
/// Works on two channels. Used by one thread at a time.
@safe final class AllPassDelay {
    // SAFETY: the memory is allocated here and freed by deinit; the position is less than the length.

    private let memory: UnsafeMutablePointer<SIMD2<Float>>
    let capacityFrames: Int
    private let gain: Float
    private var length: Int
    private var position = 0

    /// - Parameters:
    ///   - capacityFrames: The longest delay.
    ///   - gain: The strength of the echoes; 0 for a plain delay.
    init(capacityFrames: Int, gain: Float) {
        self.capacityFrames = max(1, capacityFrames)
        self.gain = gain
        length = self.capacityFrames
        unsafe memory = .allocate(capacity: self.capacityFrames)
        unsafe memory.initialize(repeating: .zero, count: self.capacityFrames)
    }

    deinit { unsafe memory.deallocate() }

    /// Sets the delay, and drops the audio that is held.
    func setLength(_ frames: Int) {
        length = max(1, min(frames, capacityFrames))
        clear()
    }

    /// Replaces samples.
    @unsafe func process(_ samples: UnsafeMutablePointer<SIMD2<Float>>, frames: Int) {
        let memory = unsafe self.memory
        var done = 0
        while done < frames {
            let count = min(frames - done, length - position)
            let (line, part) = unsafe (memory + position, samples + done)
            for frame in 0..<count {
                let input = unsafe part[frame]
                let output = unsafe line[frame] - input * gain
                unsafe line[frame] = input + output * gain
                unsafe part[frame] = output
            }
            done += count
            position += count
            if position == length { position = 0 }
        }
    }

    /// Drops the audio that is held.
    func clear() {
        unsafe memory.update(repeating: .zero, count: capacityFrames)
        position = 0
    }
}
