// SPDX-License-Identifier: MIT

extension ReferenceNoise {
    /// Makes the noise that programs under test play: 14 bits of splitmix64's output for each frame's number.
    ///
    /// - Parameters:
    ///   - stream: The number of the stream within its process.
    ///   - amplitude: The amplitude at which it is played.
    public init(stream: Int, frames: Int, amplitude: Float) {
        let scale = amplitude / 8192
        self.init(
            samples: (0..<max(frames, Self.wordFrames)).map { frame in
                Float(Self.number(stream: stream, frame: frame)) * scale
            })
    }

    /// Returns the sample of a frame of stream 0, from -1 to 1, exact in 14 bits.
    public static func sample(ofFrame frame: Int) -> Float { Float(number(stream: 0, frame: frame)) / 8192 }

    /// Returns a number from -8192 to 8191 for a frame of a stream.
    private static func number(stream: Int, frame: Int) -> Int {
        var mixed = (UInt64(stream) << 40 | UInt64(frame)) + 1
        mixed &*= 0x9e37_79b9_7f4a_7c15
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return Int((mixed ^ (mixed >> 31)) & 0x3fff) - 8192
    }
}
