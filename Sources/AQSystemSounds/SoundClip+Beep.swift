// SPDX-License-Identifier: MIT

import CoreAudioTypes
import Glibc

extension SoundClip {
    /// The sound of alerts, and of the system's own sounds, for which this system has no files: a short sine at a
    /// quarter of full scale.
    package static let beep: SoundClip = {
        let sampleRate = 48_000
        let frequency = 880.0
        let frames = sampleRate * 15 / 100
        let edgeFrames = sampleRate * 5 / 1000
        var bytes: [UInt8] = []
        bytes.reserveCapacity(frames * 2)
        for frame in 0..<frames {
            // A rising and a falling edge prevent clicks.
            let edge = min(frame, frames - 1 - frame)
            let gain = edge < edgeFrames ? Double(edge) / Double(edgeFrames) : 1
            let sine = sin(2 * Double.pi * frequency * Double(frame) / Double(sampleRate))
            let sample = Int16((8191 * gain * sine).rounded())
            unsafe withUnsafeBytes(of: sample) { unsafe bytes.append(contentsOf: $0) }
        }
        let format = AudioStreamBasicDescription.signedInteger(
            bits: 16, channels: 1, sampleRate: Double(sampleRate))
        return SoundClip(format: format, bytes: bytes)
    }()
}
