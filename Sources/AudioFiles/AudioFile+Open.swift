import CoreAudioTypes

extension AudioFile {
    /// Chooses the library for a file by its first bytes, not by its name.
    static func openReader(path: String) throws(AudioFileError) -> any PacketReader {
        let file = try OpenFile(path: path)
        var head = try file.readHead(count: headBytes, least: leastHeadBytes)
        guard !head.isEmpty else { throw AudioFileError(.empty, "it is empty") }
        switch FileSignature(head: head) {
        case .container:
            return try openContainer(file, head: head)
        case .caf: return try CAFFileReader(file: file, head: head)
        case .mpeg4: return try MP4FileReader(file: file, head: head)
        case .adts: return try ADTSFileReader(file: file, head: head)
        case .mpegAudio:
            // Some programs put an ID3 tag in front of what does not expect one.
            if file.bytes != nil, let tagBytes = ID3Tag.bytes(head: head),
                FileSignature(head: try file.read(at: tagBytes, count: leastHeadBytes)) == .container
            {
                let reader = try SndFileReader(file: file, isPipe: false)
                reader.warnings.append(
                    "the \(tagBytes) bytes of an ID3 tag stand before the header, where none belongs")
                return reader
            }
            if try isADTS(behindTagOf: file, head: &head) {
                return try ADTSFileReader(file: file, head: head)
            }
            return try openMPEGAudio(file, head: head)
        case .foreign(let kind):
            throw AudioFileError(.unrecognised, "it is \(kind), not a sound file")
        case .unsupported(let kind):
            throw AudioFileError(.unsupported, "\(kind) is not supported")
        case .text:
            do {
                return try openMPEGAudio(file, head: head, isGuess: true)
            } catch  where error.code == .unrecognised {
                throw AudioFileError(.unrecognised, "it is text, not a sound file")
            }
        case .unknown:
            guard file.bytes != nil else { return try openStream(file, head: head) }
            // libsndfile knows a dozen more headers; what it does not know may be a stream after garbage.
            do {
                return try SndFileReader(file: file, isPipe: false)
            } catch  where error.code == .unrecognised {
                return try openStream(file, head: head)
            }
        }
    }

    private static func openContainer(
        _ file: OpenFile, head: [UInt8]
    ) throws(AudioFileError) -> any PacketReader {
        guard file.bytes == nil else { return try SndFileReader(file: file, isPipe: false) }
        var head = head
        if let reader = try openPipedSamples(file, head: &head) { return reader }
        // QUIRK: libsndfile 1.2 seeks while it reads this header, and goes wrong if it cannot.
        guard !head.starts(with: "fLaC".utf8) else {
            throw AudioFileError(.notSeekable, "FLAC can be read from a file, but not from a pipe")
        }
        return try SndFileReader(file: PipePump.start(from: file, head: head), isPipe: true)
    }

    /// Opens a pipe of WAVE, RF64 or AIFF whose samples can be taken as they are; nil if libsndfile has to try.
    ///
    /// - Parameter head: What was read from the pipe already, before and after.
    private static func openPipedSamples(
        _ file: OpenFile, head: inout [UInt8]
    ) throws(AudioFileError) -> StreamFileReader? {
        let marks = ["RIFF", "RIFX", "FORM", "RF64", "BW64"]
        guard let place = marks.firstIndex(where: { head.starts(with: $0.utf8) }) else { return nil }
        do {
            let reader = try StreamFileReader(file: file, head: &head)
            // What libsndfile decodes in a file, it shall decode in a pipe too.
            if reader.format.isLinearPCM || reader.format.isG711 { return reader }
        } catch {
            // QUIRK: libsndfile 1.2 seeks while it reads RF64, and goes wrong if it cannot.
            guard place < 3, error.code != .unreadable, !head.isEmpty else { throw error }
        }
        return nil
    }

    /// Opens what begins anywhere in a stream, as broadcasts do.
    private static func openStream(
        _ file: OpenFile, head: [UInt8]
    ) throws(AudioFileError) -> any PacketReader {
        var head = head
        if file.bytes == nil { try file.readOn(&head, to: streamHeadBytes) }
        let start = try file.bytes == nil ? head : file.read(at: 0, count: streamHeadBytes)
        guard ADTSSignature.isFound(in: start) else {
            return try openMPEGAudio(file, head: head, isGuess: true)
        }
        return try ADTSFileReader(file: file, head: head)
    }

    /// True if AAC follows the ID3 tag that `head` begins. Of a pipe the head grows as far as the tag goes;
    /// a tag too long for that is taken for one of MPEG audio.
    private static func isADTS(
        behindTagOf file: OpenFile, head: inout [UInt8]
    ) throws(AudioFileError) -> Bool {
        guard let tagBytes = ID3Tag.bytes(head: head) else { return false }
        if file.bytes != nil {
            return FileSignature(head: try file.read(at: tagBytes, count: leastHeadBytes)) == .adts
        }
        let wanted = tagBytes + Int64(leastHeadBytes)
        guard wanted <= ByteWindow.mostHeadBytes else { return false }
        try file.readOn(&head, to: Int(wanted))
        return FileSignature(head: Array(head.dropFirst(Int(tagBytes)))) == .adts
    }

    /// - Parameter isGuess: True for bytes that look like nothing else either.
    private static func openMPEGAudio(
        _ file: OpenFile, head: [UInt8], isGuess: Bool = false
    ) throws(AudioFileError) -> any PacketReader {
        #if HAVE_MPEG_AUDIO
        return try MPEGFileReader(file: file, head: head)
        #else
        guard !isGuess else { throw AudioFileError(.unrecognised, "it is no sound file of a known kind") }
        throw AudioFileError(.unsupported, "it is MPEG audio, and this program was built without that")
        #endif
    }

    /// Bytes of a file that are looked at to tell its kind.
    private static let headBytes = 512
    /// Bytes of a stream that begins with neither a header nor a packet, to find one in: two of AAC's longest.
    private static let streamHeadBytes = 16_384
    /// Bytes of a pipe that are waited for.
    private static let leastHeadBytes = 16
}
