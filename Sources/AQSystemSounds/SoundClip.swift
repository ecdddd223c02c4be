// SPDX-License-Identifier: MIT

package import CoreAudioTypes

/// A short sound, decoded whole: interleaved linear PCM that devices play unconverted.
package struct SoundClip: Sendable {
    /// The longest clip, in seconds.
    package static let longestSeconds = 30.0

    package let format: AudioStreamBasicDescription
    /// The label of each channel; nil for the usual order of that many channels.
    package let channelLabels: [AudioChannelLabel]?
    /// The samples, in whole frames.
    package let bytes: [UInt8]

    /// Makes a clip from samples.
    ///
    /// - Parameter bytes: Whole frames of `format`; an incomplete frame at the end is dropped.
    package init(
        format: AudioStreamBasicDescription, channelLabels: [AudioChannelLabel]? = nil, bytes: [UInt8]
    ) {
        self.format = format
        self.channelLabels = channelLabels
        let frameBytes = max(1, Int(format.mBytesPerFrame))
        self.bytes = Array(bytes.prefix(bytes.count / frameBytes * frameBytes))
    }

    package var frames: Int { bytes.count / max(1, Int(format.mBytesPerFrame)) }
}

/// The reason why a file is not a clip.
package enum SoundClipError: Error, Equatable {
    /// The file cannot be opened or decoded, its type or coding is not supported, or it needs too much memory.
    case unreadable
    /// The file is longer than ``SoundClip/longestSeconds``.
    case tooLong
}
