// SPDX-License-Identifier: MIT

import CoreAudioTypes

extension AudioFile {
    /// Selects the reader for a file by its first bytes, not by its name.
    ///
    /// - Parameters: Those of ``open(path:isEndNeeded:onWait:)``.
    static func openReader(
        _ file: OpenFile, isEndNeeded: Bool, onWait: ((_ bytes: Int64) -> Void)?
    ) throws(AudioFileError) -> any PacketReader {
        guard file.bytes == nil else {
            file.isScanRequested = isEndNeeded
            return try openFile(file)
        }
        var head: [UInt8] = []
        try file.readOn(&head, to: leastHeadBytes, room: headBytes)
        guard !head.isEmpty else { throw AudioFileError(.empty, "it is empty") }
        // Pipes are stored here, not by the tools, because only the readers know whether the end is needed first.
        let spool = PipeSpool(head: head)
        do throws(AudioFileError) {
            return try openPipe(file, spool, isEndNeeded: isEndNeeded)
        } catch {
            // After a tag, the readers of files support more types than the parser of streams.
            guard error.code == .notSeekable || error.code == .unrecognised && StreamTag.id3Bytes(head) != nil
            else { throw error }
            return try openFile(spool.makeFile(from: file, onWait: onWait))
        }
    }

    // MARK: Pipes

    /// Opens a pipe that can be read while it arrives.
    ///
    /// - Throws: `notSeekable` if the pipe must be stored in a file first.
    private static func openPipe(
        _ file: OpenFile, _ spool: PipeSpool, isEndNeeded: Bool
    ) throws(AudioFileError) -> any PacketReader {
        let signature = FileSignature(head: spool.head)
        switch signature {
        case .refused(let error): throw error
        case .container: return try openPipedContainer(file, spool, isEndNeeded: isEndNeeded)
        default:
            var join = FLACJoin()
            do {
                // A server may send text before MPEG audio, and a broadcast begins inside a packet, whose first bytes
                // may all be those of text.
                let isUnclear = signature == .text || signature == .unknown
                return try StreamFileReader(
                    file: file, spool: spool, typeHint: isUnclear ? .mp3 : nil,
                    isEndNeeded: isEndNeeded,
                    isOther: { [.packet, .text, .unknown].contains(signature) && join.search(spool.head) })
            } catch  where error.code == .unrecognised && join.start != nil {
                guard let start = join.start else { throw error }
                return try FLACPipeReader(
                    joining: file, start.info, head: Array(spool.head[start.offset...]))
            } catch  where error.code == .unrecognised && signature == .text {
                throw text
            } catch  where error.code == .unrecognised && signature == .unknown {
                throw AudioFileError(.unrecognised, "it is not an audio file of a known type")
            }
        }
    }

    /// Opens a container in a pipe, with libsndfile unless it is FLAC, or WAVE, RF64 or AIFF with PCM or G.711.
    private static func openPipedContainer(
        _ file: OpenFile, _ spool: PipeSpool, isEndNeeded: Bool
    ) throws(AudioFileError) -> any PacketReader {
        if ChunkGrammar(head: spool.head) != nil {
            do {
                let reader = try StreamFileReader(file: file, spool: spool)
                // libsndfile decodes all other codings, as in files.
                if reader.format.isLinearPCM || reader.format.isG711 { return reader }
            } catch  where error.code == .unreadable { throw error } catch {}
        }
        if spool.head.starts(with: "fLaC".utf8) {
            return try openPipedFLAC(file, spool, isEndNeeded: isEndNeeded)
        }
        // libsndfile also reports no length for a pipe.
        guard !isEndNeeded, try readHeader(file, spool), spool.isHeadOnly else { throw unseekable }
        let head = spool.head
        if head.starts(with: OggPage.mark) { return try OggPipeReader(OggPipe(file: file, head: head)) }
        guard let header = WaveHeader(head: head) else {
            return try SndFileReader(file: PipePump.start(from: file, head: head), isPipe: true)
        }
        #if HAVE_MPEG_AUDIO
        guard !MPEGWave.isAnnounced(in: head) else { throw unseekable }
        #endif
        guard let shown = header.shown(head) else { throw unseekable }
        let pipe = try PipePump.start(from: file, head: shown.head, byteCount: shown.byteCount)
        return try SndFileReader(file: pipe, isPipe: true, containerName: header.fileType.name)
    }

    private static func openPipedFLAC(
        _ file: OpenFile, _ spool: PipeSpool, isEndNeeded: Bool
    ) throws(AudioFileError) -> FLACPipeReader {
        if isEndNeeded {
            var head = spool.head
            try file.readOn(&head, to: FLACStreamInfo.headBytes)
            spool.append(head[spool.head.count...])
            guard FLACStreamInfo(head: head)?.frameCount != nil else { throw unseekable }
        }
        return try FLACPipeReader(file, head: spool.head)
    }

    private static let unseekable = AudioFileError(
        .notSeekable, "it can be read from a file, but not from a pipe")

    /// Reads a WAVE pipe up to its audio; returns false if the header is too long, incomplete or damaged.
    private static func readHeader(_ file: OpenFile, _ spool: PipeSpool) throws(AudioFileError) -> Bool {
        var block = [UInt8](repeating: 0, count: 4096)
        while let header = WaveHeader(head: spool.head), header.audio == nil {
            guard !header.isDamaged, spool.head.count < mostHeaderBytes else { return false }
            let got = try file.readSome(into: &block)
            guard got > 0 else { return false }
            spool.append(block[..<got])
        }
        return true
    }

    // MARK: Files

    private static func openFile(_ file: OpenFile) throws(AudioFileError) -> any PacketReader {
        let head = try file.read(at: 0, count: headBytes)
        guard !head.isEmpty else { throw AudioFileError(.empty, "it is empty") }
        #if HAVE_MPEG_AUDIO
        if let reader = try MPEGWave.reader(file: file, head: head) { return reader }
        #endif
        let tagBytes = try leadingTagBytes(file)
        if tagBytes > 0 { return try openTagged(file, behind: tagBytes) }
        switch FileSignature(head: head) {
        case .container where head.starts(with: OggPage.mark): return try openOgg(file, head: head)
        case .container: return try openContainer(file)
        case .caf: return try CAFFileReader(file: file)
        case .mpeg4: return try MP4FileReader(file: file)
        case .packet: return try openStream(file)
        case .refused(let error): throw error
        case .text:
            do {
                return try openStream(file)
            } catch  where error.code == .unrecognised { throw text }
        case .unknown:
            // libsndfile detects a dozen further types; a file of none of them may be a stream after garbage.
            do {
                return try openContainer(file)
            } catch  where error.code == .unrecognised {
                return try openStream(file)
            }
        }
    }

    /// Opens a file with libsndfile.
    private static func openContainer(
        _ file: OpenFile, behind tagBytes: Int64 = 0
    ) throws(AudioFileError) -> SndFileReader {
        try SndFileReader(file: file, isPipe: false, behind: tagBytes)
    }

    private static func openOgg(_ file: OpenFile, head: [UInt8]) throws(AudioFileError) -> any PacketReader {
        if OggLinks.isFLAC(head: head) { return try OggFileReader(file: file) }
        let reader = try SndFileReader(file: file, isPipe: false)
        return reader.ending?.isChained == true ? try OggFileReader(file: file) : reader
    }

    /// The size of the ID3 tags at the start of a file.
    private static func leadingTagBytes(_ file: OpenFile) throws(AudioFileError) -> Int64 {
        var offset: Int64 = 0
        for _ in 0..<mostTags {
            guard let bytes = StreamTag.id3Bytes(try file.read(at: offset, count: 10)) else { break }
            offset += bytes
        }
        return offset
    }

    /// Opens a file whose contents follow ID3 tags.
    private static func openTagged(
        _ file: OpenFile, behind tagBytes: Int64
    ) throws(AudioFileError) -> any PacketReader {
        switch FileSignature(head: try file.read(at: tagBytes, count: leastHeadBytes)) {
        // Some programs add an ID3 tag to formats that do not expect one.
        case .container:
            let reader = try openContainer(file, behind: tagBytes)
            reader.warnings.append(
                "an ID3 tag of \(tagBytes) bytes precedes the header, where none belongs",
                grade: .oddity)
            return reader
        case .refused(let error) where error.code == .unsupported: throw error
        default: return try openStream(file, behind: tagBytes)
        }
    }

    /// Opens packets without a file header, which may begin at any offset, as in recorded broadcasts.
    private static func openStream(
        _ file: OpenFile, behind tagBytes: Int64 = 0
    ) throws(AudioFileError) -> any PacketReader {
        let end = max(TrailingTags.start(in: file), tagBytes)
        guard let found = try StreamProbe.search(file, from: tagBytes, to: end) else {
            if let cut = try StreamProbe.cutPacket(file, from: tagBytes, to: end) {
                throw AudioFileError(
                    .damaged, "its only packet is cut short: \(cut.bytes) bytes of \(cut.of)")
            }
            throw AudioFileError(.unrecognised, "it is not an audio file of a known type")
        }
        switch found.kind {
        case .adts: return try ADTSFileReader(file: file, behindTagsOf: tagBytes, end: end)
        case .loas: throw loas
        case .mpegAudio:
            #if HAVE_MPEG_AUDIO
            return try MPEGFileReader(file: file, range: 0..<end)
            #else
            throw AudioFileError(.unsupported, "it is MPEG audio, which this program was built without")
            #endif
        }
    }

    private static let text = AudioFileError(.unrecognised, "it is text, not an audio file")

    /// The number of bytes read from a file to detect its type.
    private static let headBytes = 512
    /// The largest number of ID3 tags skipped at the start of a file.
    private static let mostTags = 16
    static let loas = AudioFileError(.unsupported, "AAC in a LOAS stream (LATM) is not supported")
    /// The largest size of a WAVE header in a pipe.
    private static let mostHeaderBytes = 64 << 10
    /// The number of a pipe's first bytes to wait for.
    private static let leastHeadBytes = 16
}
