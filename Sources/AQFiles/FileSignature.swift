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
        if let refusal = Self.refusal(ofContainer: head) {
            self = .refused(refusal)
            return
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
        } else if let name = Self.otherCodecs.first(where: { head.starts(with: $0.mark) })?.name
            ?? Self.dolbyCodec(head) ?? Self.otherContainer(head)
        {
            self = .refused(Self.unsupported(name))
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

    private static func unsupported(_ name: String) -> AudioFileError {
        AudioFileError(.unsupported, "\(name) is not supported")
    }

    /// The marks of audio that is not supported.
    private static let otherCodecs: [(mark: [UInt8], name: String)] =
        [
            ("ADIF", "AAC in an ADIF file"), ("wvpk", "WavPack"), ("MAC ", "Monkey's Audio"),
            ("MPCK", "Musepack"), ("MP+", "Musepack"), ("TTA1", "True Audio"), ("TTA2", "True Audio"),
            ("#!AMR", "AMR"), ("#!SILK", "SILK"), ("\u{2}#!SILK", "SILK"), ("#!iLBC", "iLBC"),
            ("DSD ", "DSD in a DSF file"), ("FRM8", "DSD in a DSDIFF file"),
            (".RMF", "the RealMedia container"),
            (".ra\u{FD}", "RealAudio"), ("qoaf", "QOA"), ("OFR ", "OptimFROG"), ("tBaK", "TAK"),
            ("ajkg", "Shorten"), ("TWIN", "TwinVQ"), ("FLV\u{1}", "the Flash Video container"),
            ("MThd", "MIDI"),
        ].map { ($0.0.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }, $0.1) } + [
            ([0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11], "the ASF container (WMA)"),
            ([0, 0, 1, 0xBA], "an MPEG program stream"),
            // DTS in words of 16 and 14 bits, in either byte order.
            ([0x7F, 0xFE, 0x80, 0x01], "DTS"), ([0xFE, 0x7F, 0x01, 0x80], "DTS"),
            ([0x1F, 0xFF, 0xE8, 0x00], "DTS"), ([0xFF, 0x1F, 0x00, 0xE8], "DTS"),
        ]

    /// The error for chunks of a type that is not supported; nil for other files.
    private static func refusal(ofContainer head: [UInt8]) -> AudioFileError? {
        guard head.starts(with: "RIFF".utf8), head.count >= 12 else { return nil }
        switch String(decoding: head[8..<12], as: UTF8.self) {
        case "AVI ": return unsupported("the AVI container")
        case "RMID": return unsupported("MIDI")
        case "WEBP": return AudioFileError(.unrecognised, "it is a WebP image, not an audio file")
        default: return nil
        }
    }

    /// A codec of Dolby, by the first frame (ETSI TS 102 366, 4.4.1 and E.1.3.1; TS 103 190, annex G).
    private static func dolbyCodec(_ head: [UInt8]) -> String? {
        guard head.count >= 8 else { return nil }
        switch (head[0], head[1]) {
        case (0x0B, 0x77):
            let version = head[5] >> 3
            // The sample rate, and in AC-3 the length of the frame, have reserved values.
            if version <= 10 { return head[4] >> 6 != 3 && head[4] & 0x3F < 38 ? "AC-3" : nil }
            return version <= 16 ? "E-AC-3" : nil
        case (0xAC, 0x40), (0xAC, 0x41):
            let frameBytes = Int(head[2]) << 8 | Int(head[3])
            return 16...0x3FFF ~= frameBytes || frameBytes == 0xFFFF ? "AC-4" : nil
        case _ where head[4..<8].elementsEqual([0xF8, 0x72, 0x6F, 0xBA]): return "Dolby TrueHD"
        case _ where head[4..<8].elementsEqual([0xF8, 0x72, 0x6F, 0xBB]): return "MLP"
        default: return nil
        }
    }

    private static func otherContainer(_ head: [UInt8]) -> String? {
        if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) {
            // The header names its document type, within a few fields.
            let isWebM = head.indices.contains { head[$0...].starts(with: "webm".utf8) }
            return isWebM ? "the WebM container" : "the Matroska container"
        }
        // Packets of 188 bytes begin with the same byte (ISO/IEC 13818-1, 2.4.3.2).
        let starts = [0, 188, 376]
        let isTransport = starts.allSatisfy { $0 < head.count && head[$0] == 0x47 }
        return isTransport ? "an MPEG transport stream" : nil
    }

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
