// SPDX-License-Identifier: MIT

import CAQSndFile
import CoreAudioTypes

/// The reasons why libsndfile does not open a file, if its own message states none.
enum SndFileFailure {
    /// Adds a reason to a failure.
    ///
    /// - Parameters:
    ///   - coding: The name of the coding in the header; nil if it is unknown.
    static func explained(
        _ failure: AudioFileError, file: any ReadableBytes, coding: String?
    ) -> AudioFileError {
        let head = file.bytes(at: 0, count: OggPage.mostHeaderBytes + 8)
        if head.starts(with: OggPage.mark) { return inOgg(failure, head) }
        let kind = kinds.first { head.starts(with: $0.mark.utf8) }?.name ?? "sound file"
        switch failure.message {
        // The library returns this for any unknown coding.
        case "error in WAV/W64/RF64 file. Malformed 'fmt ' chunk" where coding != nil:
            return AudioFileError(.unsupported, "its coding, \(coding ?? kind), is not supported")
        case "file contains data in an unimplemented format",
            "supported file format but unsupported encoding":
            let words = coding.map { "its coding, \($0)," } ?? "the coding of this \(kind)"
            return AudioFileError(.unsupported, "\(words) is not supported")
        case let message where message.hasPrefix(logMark):
            let words = message.dropFirst(logMark.count)
            return AudioFileError(failure.code, "its \(kind) header is damaged: \(words)")
        case let message:
            guard let reason = reasons[message] else { return failure }
            return AudioFileError(failure.code, "its \(kind) header is damaged: \(reason)")
        }
    }

    private static func inOgg(_ failure: AudioFileError, _ head: [UInt8]) -> AudioFileError {
        guard let page = OggPage(head[...]) else {
            return AudioFileError(.damaged, "its first Ogg page is damaged")
        }
        let packet = head.dropFirst(page.headerByteCount)
        if let codec = oggCodecs.first(where: { packet.starts(with: $0.mark) })?.name {
            return AudioFileError(.unsupported, "its first stream is \(codec), which is not supported")
        }
        if readCodecs.contains(where: packet.starts) {
            return AudioFileError(.damaged, "the headers of its first stream are damaged or incomplete")
        }
        return AudioFileError(.unsupported, "the coding of its first stream is not known")
    }

    /// The reasons for messages of the library that state none.
    private static let reasons = [
        "unspecified internal error": "its block size, sample size or number of channels is not possible",
        "internal error : SF_INFO struct incomplete": "its sample rate or number of channels is not possible",
        "supported file format but file is malformed": "its chunks do not fit together",
        "unknown error in flac decoder": "it describes no valid format, or no frame follows",
    ]

    /// The start of a message that was taken from the library's log.
    private static let logMark = "log: "

    /// The message of the last failed opening, or, if it states no reason, the last error in the library's log.
    ///
    /// The corresponding C functions are `sf_strerror` and `sf_command`.
    static func lastMessage() -> String {
        let message = unsafe SndFileHandle.sentence(String(cString: sf_strerror(nil)))
        guard reasons[message] != nil else { return message }
        var log = [CChar](repeating: 0, count: 16 << 10)
        _ = unsafe sf_command(nil, CInt(SFC_GET_LOG_INFO), &log, CInt(log.count - 1))
        let lines = log.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }.split(separator: UInt8(ascii: "\n"))
        guard let last = lines.last(where: { $0.starts(with: "***".utf8) }) else { return message }
        let words = String(decoding: last, as: UTF8.self).drop { "* :".contains($0) }
        let reason =
            words.hasPrefix("Error") ? words.dropFirst("Error".count).drop { " :".contains($0) } : words
        return reason.isEmpty ? message : logMark + SndFileHandle.sentence(String(reason))
    }

    /// The message of a failed read, with a reason if the library's own states none.
    static func readMessage(_ message: String) -> String {
        reasons[message] == nil ? message : "the data that follows cannot be decoded"
    }

    private static let kinds = [
        (mark: "RIFF", name: "WAVE"), (mark: "RIFX", name: "WAVE"), (mark: "RF64", name: "RF64"),
        (mark: "BW64", name: "RF64"), (mark: "FORM", name: "AIFF"), (mark: ".snd", name: "AU"),
        (mark: "dns.", name: "AU"), (mark: "riff", name: "Wave64"), (mark: "fLaC", name: "FLAC"),
    ]

    private static let readCodecs: [[UInt8]] = [
        [1] + Array("vorbis".utf8), Array("OpusHead".utf8), [0x7F] + Array("FLAC".utf8),
    ]

    private static let oggCodecs: [(mark: [UInt8], name: String)] = [
        ([0x80] + Array("theora".utf8), "Theora video"), (Array("Speex   ".utf8), "Speex"),
        (Array("fishead\0".utf8), "a Skeleton"), (Array("BBCD\0".utf8), "Dirac video"),
        ([0x80] + Array("kate".utf8), "Kate"), (Array("CELT    ".utf8), "CELT"),
        (Array("PCM     ".utf8), "PCM"), ([1] + Array("video".utf8), "OGM video"),
    ]
}
