// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The properties of a file's audio that are the same before and after a change.
struct EditedSound {
    private let format: AudioStreamBasicDescription
    private let frameCount: Int64?
    private let dataBytes: Int64?

    init(path: FilePath) throws(AudioFileError) {
        let file = try AudioFile.open(path: path)
        format = file.format
        frameCount = file.frameCount
        dataBytes = file.dataRange.map { $0.upperBound - $0.lowerBound }
    }

    /// Checks that the audio of the file is unchanged.
    ///
    /// QUIRK: libsndfile 1.2 does not open files with certain contents in known chunks, such as a text of more than 8
    /// KiB in AIFF. It also rejects Wave64 files with a chunk before the audio of more than about 60 KiB, if its size
    /// is not a multiple of 8.
    ///
    /// - Throws: `unsupported` if the audio has changed, or cannot be read.
    func check(path: FilePath) throws(AudioFileError) {
        guard let now = try? EditedSound(path: path), now.format.isSame(as: format),
            now.frameCount == frameCount, now.dataBytes == dataBytes
        else {
            throw AudioFileError(.unsupported, "with these contents the audio could no longer be read")
        }
    }
}
