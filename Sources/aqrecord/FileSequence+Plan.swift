// SPDX-License-Identifier: MIT

import AQFiles
import CoreAudioTypes
import AQToolSupport

extension FileSequence {
    /// The format and settings of the files.
    struct Plan {
        var target: RecordingTarget
        /// The format of the appended frames.
        var format: AudioStreamBasicDescription
        /// The encoding of the files; nil if they contain samples, or if their own writer encodes.
        var encoding: RecordingEncoding?
        /// The bit rate of an encoder in the file's own writer.
        var bitRate: Int?
        var split: RecordOptions.Split?
        var overwrites = false
        /// The number of frames after which a file is forced to the disk, also at its end; nil for never.
        var syncFrames: Int64?
        /// The input file, which is never overwritten; nil if there is none.
        var source: FileIdentity?
        /// Measures levels; nil if that is not requested.
        var scanner: SampleScanner?

        /// Whether an encoder determines the size of a file.
        var isEncoded: Bool { encoding != nil || [.mp3, .flac, .oggVorbis, .oggOpus].contains(target.type) }
    }
}
