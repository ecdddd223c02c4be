// SPDX-License-Identifier: MIT

import CoreAudioTypes
import AQToolSupport

/// The format of the recorded samples, with derived values.
struct RecordingFormat {
    let description: AudioStreamBasicDescription
    let bytesPerFrame: Int
    let sampleRate: Double
    let scanner: SampleScanner?

    init(_ description: AudioStreamBasicDescription) {
        self.description = description
        bytesPerFrame = Int(description.mBytesPerFrame)
        sampleRate = description.mSampleRate
        scanner = SampleScanner(description)
    }

    /// The number of frames in `seconds`; at least one.
    func frames(inSeconds seconds: Double) -> Int64 { max(1, Int64((seconds * sampleRate).rounded())) }

    /// The bytes of silent frames.
    func silence(frames: Int) -> [UInt8] {
        let isUnsigned = !description.isFloat && !description.isSignedInteger
        // Unsigned samples are a single byte in every container.
        return Array(repeating: isUnsigned ? 0x80 : 0, count: frames * bytesPerFrame)
    }

    /// Returns the message about lost frames.
    func lossMessage(_ frames: Int64, atFrame frame: Double) -> String {
        let seconds = Decimal.text(Double(frames) / sampleRate, decimals: 3)
        return
            "\(frames) frames (\(seconds) s) were lost at \(TimeParser.clock(frame / sampleRate)) because "
            + "writing took too long; silence replaces them"
    }
}
