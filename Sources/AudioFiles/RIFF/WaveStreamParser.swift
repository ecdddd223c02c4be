import CoreAudioTypes

/// Parses RIFF WAVE, its big-endian form RIFX, and RF64.
final class WaveStreamParser: ContainerParser {
    private enum State { case form, chunkHeader, contents(mark: String, bytes: Int), audio }

    private var state = State.form
    private var walk = ChunkWalk(.riff(isBigEndian: false))
    private var isRF64 = false
    /// The end of the outermost chunk according to its length.
    private var declaredEnd: Int64 = 0
    private var packets = ConstantPackets(packetBytes: 1, dataBytes: 0)

    func step(_ core: StreamCore) throws(AudioFileStreamError) -> StreamStep {
        switch state {
        case .form:
            guard core.queue.count >= Self.formBytes else { return .needs(Self.formBytes) }
            let head = core.queue.prefix(Self.formBytes)
            let grammar = ChunkGrammar(head: head) ?? walk.grammar
            isRF64 = AudioFileType(head: head) == .rf64
            walk = ChunkWalk(grammar, from: core.queue.offset + Int64(Self.formBytes))
            declaredEnd = grammar.declaredEnd(head: head)
            core.found(isRF64 ? .rf64 : .wave)
            state = .chunkHeader
        case .chunkHeader:
            guard let chunk = try walk.next(core) else { return .needs(walk.headerCount) }
            try begin(chunk, core)
        case .contents(let mark, let bytes):
            guard core.queue.count >= bytes else { return .needs(bytes) }
            try read(chunk: mark, fields(core.queue.prefix(bytes)), core)
            state = .chunkHeader
        case .audio: return packets.step(core)
        }
        return .again
    }

    private func fields(_ bytes: [UInt8]) -> FieldReader {
        FieldReader(bytes: bytes, isBigEndian: walk.grammar.isBigEndian)
    }

    private func begin(_ chunk: ChunkWalk.Chunk, _ core: StreamCore) throws(AudioFileStreamError) {
        let mark = chunk.name
        switch mark {
        case "data": try beginAudio(chunk, core)
        case "fmt ", "ds64", "LIST", "id3 ", "ID3 ":
            let isFormat = mark == "fmt " || mark == "ds64"
            let most = isFormat ? Self.longestFormat : StreamFacts.longestText
            state = .contents(mark: mark, bytes: Int(min(chunk.declaredBytes, most)))
        default: break
        }
    }

    private func read(
        chunk mark: String, _ fields: FieldReader, _ core: StreamCore
    ) throws(AudioFileStreamError) {
        switch mark {
        case "fmt " where core.facts.format == nil:
            let format = try WaveFormat(fields)
            core.facts.channelLabels = format.channelLabels
            core.found(format.description)
        case "ds64" where isRF64: walk.takeSizes(fields.bytes)
        case "LIST" where fields.mark(at: 0) == "INFO":
            core.facts.add(FileMetadata(information: Self.tags(fields)))
        case "id3 ", "ID3 ": core.facts.add(ID3Reader.metadata(in: TagBytes(fields.bytes)))
        default: break
        }
    }

    private func beginAudio(_ chunk: ChunkWalk.Chunk, _ core: StreamCore) throws(AudioFileStreamError) {
        guard let format = core.facts.format else {
            throw AudioFileStreamError(
                .notOptimized, "cannot parse the WAVE stream: its format stands behind its audio")
        }
        let dataBytes = WaveHeader.audioBytes(of: chunk, isUnfinished: declaredEnd <= core.queue.offset)
        packets = ConstantPackets(packetBytes: Int(format.mBytesPerPacket), dataBytes: dataBytes)
        core.facts.describeConstantPackets(dataBytes: dataBytes)
        core.facts.declaredBitRate = Double(format.mBytesPerPacket) * 8 * format.mSampleRate
        state = .audio
        core.becomeReady()
    }

    /// The entries of a list, under their published keys if there are any.
    private static func tags(_ fields: FieldReader) -> [AudioFileInformation] {
        var tags: [AudioFileInformation] = []
        var walk = ChunkWalk(
            .riff(isBigEndian: fields.isBigEndian), from: 4, to: Int64(fields.bytes.count))
        while tags.count < mostTags, let chunk = walk.next(in: fields.bytes) {
            let contents = fields.bytes[Int(chunk.contents.lowerBound)...].prefix(chunk.contents.count)
            if let text = InformationText.decode(contents) {
                let key = InformationKeys.key(of: chunk.name, in: InformationKeys.riff)
                tags.append(InformationKeys.information(key ?? chunk.name, text))
            }
        }
        return tags
    }

    func position(ofPacket packet: Int64, _ core: StreamCore) -> StreamPosition? {
        packets.position(ofPacket: packet)
    }

    func resume(atPacket packet: Int64, _ position: StreamPosition, _ core: StreamCore) {
        packets.resume(position)
    }

    func resumeAfterGap(_ core: StreamCore) -> Bool { true }

    private static let formBytes = 12
    /// More than the offset of any field that is read.
    private static let longestFormat: Int64 = 64
    private static let mostTags = 256
}
