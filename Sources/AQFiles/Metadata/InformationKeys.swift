// SPDX-License-Identifier: MIT

/// The names in each file type for metadata with published keys.
enum InformationKeys {
    /// The names in RIFF's INFO list; of several names for one key the first is written.
    static let riff: [(code: String, key: String)] = [
        ("INAM", "title"), ("IART", "artist"), ("IPRD", "album"), ("ICMT", "comments"),
        ("ICOP", "copyright"), ("ICRD", "recorded date"), ("IGNR", "genre"), ("ITRK", "track number"),
        ("IPRT", "track number"), ("ISFT", "encoding application"), ("IMUS", "composer"),
        ("IWRI", "lyricist"), ("ISBJ", "subject"), ("IENG", "engineer"), ("ITCH", "technician"),
        ("IKEY", "keywords"), ("ISRC", "source"),
    ]

    /// The names of AIFF's text chunks.
    static let aiff: [(code: String, key: String)] = [
        ("NAME", "title"), ("AUTH", "artist"), ("(c) ", "copyright"), ("ANNO", "comments"),
    ]

    /// The text frames of ID3v2.3 and 2.4, and their names in 2.2.
    static let id3: [(code: String, old: String, key: String)] = [
        ("TIT2", "TT2", "title"), ("TPE1", "TP1", "artist"), ("TALB", "TAL", "album"),
        ("TCOM", "TCM", "composer"), ("TCON", "TCO", "genre"), ("TRCK", "TRK", "track number"),
        ("TPOS", "TPA", "disc number"), ("TDRC", "TRD", "recorded date"), ("TCOP", "TCR", "copyright"),
        ("TSSE", "TSS", "encoding application"), ("TPE2", "TP2", "album artist"), ("TBPM", "TBP", "tempo"),
        ("TKEY", "TKE", "key signature"), ("TEXT", "TXT", "lyricist"), ("TSRC", "TRC", "ISRC"),
        ("TIT1", "TT1", "grouping"), ("TIT3", "TT3", "subtitle"), ("TPE3", "TP3", "conductor"),
        ("TPUB", "TPB", "publisher"), ("TENC", "TEN", "encoded by"), ("TLAN", "TLA", "language"),
        ("TMOO", "", "mood"),
    ]

    /// The names of Vorbis comments; of several names for one key the first is written.
    static let vorbis: [(code: String, key: String)] = [
        ("TITLE", "title"), ("ARTIST", "artist"), ("ALBUM", "album"), ("COMPOSER", "composer"),
        ("GENRE", "genre"), ("TRACKNUMBER", "track number"), ("DISCNUMBER", "disc number"),
        ("DATE", "recorded date"), ("COMMENT", "comments"), ("DESCRIPTION", "comments"),
        ("COPYRIGHT", "copyright"), ("ENCODER", "encoding application"), ("ALBUMARTIST", "album artist"),
        ("BPM", "tempo"), ("KEY", "key signature"), ("LYRICIST", "lyricist"), ("ISRC", "ISRC"),
    ]

    /// The items of iTunes; three letters follow a copyright sign. Of several names for one key the first is written.
    static let mp4: [(code: String, key: String)] = [
        ("nam", "title"), ("ART", "artist"), ("alb", "album"), ("day", "recorded date"), ("gen", "genre"),
        ("cmt", "comments"), ("wrt", "composer"), ("com", "composer"), ("cprt", "copyright"),
        ("cpy", "copyright"), ("lyr", "lyrics"), ("too", "encoding application"),
        ("swr", "encoding application"), ("grp", "grouping"), ("aART", "album artist"),
    ]

    /// The items of QuickTime that iTunes does not write.
    static let quickTime: [(code: String, key: String)] = [
        ("enc", "source encoder"), ("isr", "ISRC"), ("st3", "subtitle"),
    ]

    /// The type of an item's box.
    static func mp4Code(_ code: String) -> UInt32 {
        ChunkGrammar.code(code) | (code.utf8.count == 3 ? 0xA900_0000 : 0)
    }

    static func key(of code: String, in table: [(code: String, key: String)]) -> String? {
        table.first { $0.code == code }?.key
    }

    /// Makes an entry; a date of four digits is a year.
    static func information(_ key: String, _ value: String) -> AudioFileInformation {
        let isYear =
            key == "recorded date" && value.utf8.count == 4 && value.utf8.allSatisfy { 0x30...0x39 ~= $0 }
        return AudioFileInformation(isYear ? "year" : key, value)
    }

    /// The metadata with a single date, for file types without a separate year; the year is kept only if the date does
    /// not contain it.
    static func withOneDate(_ information: [AudioFileInformation]) -> [AudioFileInformation] {
        let date = information.first { $0.key == "recorded date" && !$0.value.isEmpty }?.value
        return information.compactMap { entry in
            guard entry.key == "year" else { return entry }
            guard let date else { return AudioFileInformation("recorded date", entry.value) }
            return date.hasPrefix(entry.value) ? nil : entry
        }
    }
}
