// SPDX-License-Identifier: MIT

import AQFiles
import AQToolSupport

/// The output of a recording: file type and path.
struct RecordingTarget: Equatable {
    /// The path; "-" is standard output.
    var path: FilePath
    var type: AudioFileType

    var isStandardOutput: Bool { path == "-" }

    /// The name for messages.
    var name: String { FileReport.name(path) }

    /// Returns the target for an operand, whose extension selects the file type.
    ///
    /// - Throws: ``UsageError`` if the extension is unknown.
    static func operand(_ path: FilePath) throws(UsageError) -> RecordingTarget {
        if path == "-" { return RecordingTarget(path: path, type: .wave) }
        let pathExtension = path.lowercasedExtension
        if let type = AudioFileType.forPathExtension(pathExtension) {
            return RecordingTarget(path: path, type: type)
        }
        let problem =
            pathExtension.isEmpty ? "'\(path)' has no extension" : "unknown extension '.\(pathExtension)'"
        throw UsageError(
            "\(problem); end the name in .wav, .aif, .caf, .m4a, .aac, .flac, .mp3, .ogg or .opus, or write '--wav FILE'"
        )
    }
}
