// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The file type indicated by the first bytes of a file.
enum FileSignature: Equatable {
    /// A container that libsndfile reads.
    case container
    /// Core Audio Format.
    case caf
    /// The MPEG-4 container, or QuickTime's.
    case mpeg4
    /// Possibly a packet of AAC or MPEG audio.
    case packet
    /// A known type that cannot be opened, and the error to throw.
    case refused(AudioFileError)
    /// Text, which a server may also send before the audio.
    case text
    case unknown

    init(head: [UInt8]) {
        func has(_ mark: String, at offset: Int = 0) -> Bool {
            head.dropFirst(offset).starts(with: mark.utf8)
        }
        let containers = ["RIFF", "RIFX", "RF64", "BW64", "FORM", ".snd", "dns.", "riff", "fLaC", "OggS"]
        if containers.contains(where: { has($0) }) {
            self = .container
        } else if has("caff") {
            self = .caf
        } else if head.count >= 2, head[0] == 0xFF, head[1] & 0xE0 == 0xE0 {
            self = .packet
        } else if let (_, kind) = Self.others.first(where: { head.starts(with: $0.mark) }) {
            self = .refused(AudioFileError(.unrecognised, "it is \(kind), not an audio file"))
        } else if has("ftyp", at: 4) || Self.isBox(head) {
            self = .mpeg4
        } else if let (_, name) = Self.otherCodecs.first(where: { head.starts(with: $0.mark) }) {
            self = .refused(AudioFileError(.unsupported, "\(name) is not supported"))
        } else if Self.isText(head) {
            self = .text
        } else {
            self = .unknown
        }
    }

    /// The marks of files that are not audio.
    private static let others: [(mark: [UInt8], kind: String)] = [
        ([0x89, 0x50, 0x4E, 0x47], "a PNG image"), ([0xFF, 0xD8, 0xFF], "a JPEG image"),
        (Array("GIF8".utf8), "a GIF image"), (Array("%PDF".utf8), "a PDF document"),
        (Array("PK\u{3}\u{4}".utf8), "a ZIP archive"), ([0x7F, 0x45, 0x4C, 0x46], "a program"),
    ]

    /// The marks of audio that is not supported.
    private static let otherCodecs: [(mark: [UInt8], name: String)] =
        [
            ("ADIF", "AAC in an ADIF file"), ("wvpk", "WavPack"), ("MAC ", "Monkey's Audio"),
            ("MPCK", "Musepack"), ("MP+", "Musepack"), ("TTA1", "True Audio"), ("#!AMR", "AMR"),
            ("DSD ", "DSD in a DSF file"),
        ].map { (Array($0.utf8), $1) } + [
            ([0x1A, 0x45, 0xDF, 0xA3], "the Matroska container"),
            ([0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11], "the ASF container (WMA)"),
        ]

    /// Returns whether a file begins with a box other than its type, as in QuickTime and pieces of MPEG-4 streams.
    private static func isBox(_ head: [UInt8]) -> Bool {
        guard head.count >= 8, !isText(head) else { return false }
        let types = ["moov", "mdat", "wide", "free", "skip", "pnot", "styp", "sidx", "moof"]
        return types.contains { head[4..<8].elementsEqual($0.utf8) }
    }

    private static func isText(_ head: [UInt8]) -> Bool {
        !head.isEmpty && head.allSatisfy { $0 >= 0x20 && $0 != 0x7F || 0x09...0x0D ~= $0 || $0 == 0x1B }
    }
}
