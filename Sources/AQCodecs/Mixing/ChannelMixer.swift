// SPDX-License-Identifier: MIT

/// A mix of interleaved 32-bit floats to another number of channels.
struct ChannelMixer: Sendable {
    let matrix: ChannelMatrix

    /// Mixes `frames` frames.
    ///
    /// SAFETY: the caller has checked that both memories hold the frames and do not overlap. Any alignment is
    /// allowed.
    @unsafe
    func mix(frames: Int, from: UnsafeRawPointer, to: UnsafeMutableRawPointer) {
        unsafe matrix.gains.withUnsafeBufferPointer { gains in
            switch (matrix.inputs, matrix.outputs) {
            case (1, 2): unsafe Self.spread(frames, from, to, gains[0], gains[1])
            case (2, 1): unsafe Self.fold(frames, from, to, gains[0], gains[1])
            case (_, 2): unsafe mixToStereo(frames, from, to, gains)
            default: unsafe mixAny(frames, from, to, gains)
            }
        }
    }

    private static func spread(
        _ frames: Int, _ from: UnsafeRawPointer, _ to: UnsafeMutableRawPointer, _ left: Float, _ right: Float
    ) {
        for frame in 0..<frames {
            let sample = unsafe from.loadUnaligned(fromByteOffset: frame &* 4, as: Float.self)
            unsafe to.storeBytes(of: sample * left, toByteOffset: frame &* 8, as: Float.self)
            unsafe to.storeBytes(of: sample * right, toByteOffset: frame &* 8 &+ 4, as: Float.self)
        }
    }

    private static func fold(
        _ frames: Int, _ from: UnsafeRawPointer, _ to: UnsafeMutableRawPointer, _ left: Float, _ right: Float
    ) {
        for frame in 0..<frames {
            let one = unsafe from.loadUnaligned(fromByteOffset: frame &* 8, as: Float.self)
            let other = unsafe from.loadUnaligned(fromByteOffset: frame &* 8 &+ 4, as: Float.self)
            unsafe to.storeBytes(of: one * left + other * right, toByteOffset: frame &* 4, as: Float.self)
        }
    }

    private func mixToStereo(
        _ frames: Int, _ from: UnsafeRawPointer, _ to: UnsafeMutableRawPointer,
        _ gains: UnsafeBufferPointer<Float>
    ) {
        let inputs = matrix.inputs
        for frame in 0..<frames {
            let row = unsafe from + frame &* inputs &* 4
            var (left, right): (Float, Float) = (0, 0)
            for input in 0..<inputs {
                let sample = unsafe row.loadUnaligned(fromByteOffset: input &* 4, as: Float.self)
                unsafe left += sample * gains[input &* 2]
                unsafe right += sample * gains[input &* 2 &+ 1]
            }
            unsafe to.storeBytes(of: left, toByteOffset: frame &* 8, as: Float.self)
            unsafe to.storeBytes(of: right, toByteOffset: frame &* 8 &+ 4, as: Float.self)
        }
    }

    private func mixAny(
        _ frames: Int, _ from: UnsafeRawPointer, _ to: UnsafeMutableRawPointer,
        _ gains: UnsafeBufferPointer<Float>
    ) {
        let (inputs, outputs) = (matrix.inputs, matrix.outputs)
        for frame in 0..<frames {
            let row = unsafe from + frame &* inputs &* 4
            let target = unsafe to + frame &* outputs &* 4
            for output in 0..<outputs {
                var sum: Float = 0
                for input in 0..<inputs {
                    let sample = unsafe row.loadUnaligned(fromByteOffset: input &* 4, as: Float.self)
                    unsafe sum += sample * gains[input &* outputs &+ output]
                }
                unsafe target.storeBytes(of: sum, toByteOffset: output &* 4, as: Float.self)
            }
        }
    }
}
