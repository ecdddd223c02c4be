// SPDX-License-Identifier: MIT

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
        case _ where silent.contains(failure.message):
            return AudioFileError(
                failure.code, "its \(kind) header is damaged in a field that libsndfile does not name")
        default: return failure
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

    private static let silent = [
        "unspecified internal error", "internal error : SF_INFO struct incomplete",
        "supported file format but file is malformed", "error : unknown error in flac decoder",
    ]

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
