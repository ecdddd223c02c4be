// SPDX-License-Identifier: MIT

import Foundation

/// The files that mixers play: sines that ``SineBank`` finds in the mix.
public enum MixedFiles {
    /// Writes 0.wav, 1.wav and so on into a folder, in stereo. The sines are those that peers play with `--scale`. They
    /// have whole periods in a file, so that it can be played again without a gap.
    public static func write(_ number: Int, seconds: Int, sampleRate: Int, to folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for file in 0..<number {
            let hertz = number == 1 ? 997 : 500 + 40 * file
            let second = (0..<sampleRate).map { frame in
                Float(
                    0.25 / Double(number)
                        * sin(2 * Double.pi * Double(frame * hertz % sampleRate) / Double(sampleRate)))
            }
            let samples = (0..<seconds).flatMap { _ in second }
            try WaveWriter.write(samples, channels: 2, sampleRate: sampleRate, to: "\(folder)/\(file).wav")
        }
    }
}
