// SPDX-License-Identifier: MIT

/// The header of an AU file.
enum SunHeader {
    /// The patch for the length 0 that a killed recorder left: the audio then extends to the end of the file. Nil if
    /// the file has another length, or no audio.
    static func openLength(in file: any ReadableBytes) -> VirtualFile.Patch? {
        let head = file.bytes(at: 0, count: 12)
        let isBigEndian = head.starts(with: ".snd".utf8)
        guard head.count == 12, isBigEndian || head.starts(with: "dns.".utf8),
            head[8..<12].allSatisfy({ $0 == 0 })
        else { return nil }
        let digits = isBigEndian ? Array(head[4..<8]) : head[4..<8].reversed()
        guard digits.reduce(0, { $0 << 8 | Int64($1) }) < file.byteCount else { return nil }
        return (offset: 8, bytes: [0xFF, 0xFF, 0xFF, 0xFF])
    }

    static let unfinished = AudioFileProblem(
        .oddity, "the header was never finished; all that follows it is read as audio")
}
