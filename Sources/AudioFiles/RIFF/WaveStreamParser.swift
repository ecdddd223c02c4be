import CoreAudioTypes

/// Parses RIFF WAVE, its big-endian form RIFX, and RF64.
final class WaveStreamParser: ContainerParser {
    private enum State { case form, chunkHeader, contents(mark: String, bytes: Int64, claimed: Int64), audio }

    private var state = State.form
    private var isBigEndian = false
    private var isRF64 = false
    /// Where the outermost chunk claims to end.
    private var declaredEnd: Int64 = 0
    /// Bytes of audio as RF64 counts them, where the audio's own chunk has no room for the number.
    private var largeDataBytes: Int64?
    private var packets = ConstantPackets(packetBytes: 1, dataBytes: 0)

    func step(_ core: StreamCore) throws(AudioFileStreamError) -> StreamStep {
        switch state {
        case .form:
            guard core.queue.count >= Self.formBytes else { return .needs(Self.formBytes) }
            let head = core.queue.prefix(Self.formBytes)
            let mark = FieldReader(bytes: head, isBigEndian: true).mark(at: 0)
            isBigEndian = mark == "RIFX"
            isRF64 = mark == "RF64" || mark == "BW64"
            declaredEnd = 8 + Int64(fields(head).uint32(at: 4) ?? 0)
            core.queue.skip(Int64(Self.formBytes))
            core.found(isRF64 ? .rf64 : .wave)
            state = .chunkHeader
        case .chunkHeader:
            guard core.queue.count >= Self.chunkHeaderBytes else { return .needs(Self.chunkHeaderBytes) }
            let head = fields(core.queue.prefix(Self.chunkHeaderBytes))
            let length = Int64(head.uint32(at: 4) ?? 0)
            core.queue.skip(Int64(Self.chunkHeaderBytes))
            try begin(chunk: head.mark(at: 0), bytes: length, core)
        case .contents(let mark, let bytes, let claimed):
            guard core.queue.count >= Int(bytes) else { return .needs(Int(bytes)) }
            try read(chunk: mark, fields(core.queue.prefix(Int(bytes))), core)
            // Chunks begin at even places.
            core.queue.skip(claimed + claimed & 1)
            state = .chunkHeader
        case .audio: return packets.step(core)
        }
        return .again
    }

    private func fields(_ bytes: [UInt8]) -> FieldReader {
        FieldReader(bytes: bytes, isBigEndian: isBigEndian)
    }

    private func begin(chunk mark: String, bytes: Int64, _ core: StreamCore) throws(AudioFileStreamError) {
        switch mark {
        case "data": try beginAudio(bytes: bytes, core)
        case "fmt ", "ds64", "LIST", "id3 ", "ID3 ":
            let isFormat = mark == "fmt " || mark == "ds64"
            let wanted = min(bytes, isFormat ? Self.longestFormat : StreamFacts.longestText)
            state = .contents(mark: mark, bytes: wanted, claimed: bytes)
        default: core.queue.skip(bytes + bytes & 1)
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
        case "ds64":
            if let bytes = fields.uint64(at: 8), bytes <= UInt64(Int64.max) { largeDataBytes = Int64(bytes) }
        case "LIST" where fields.mark(at: 0) == "INFO":
            core.facts.add(FileMetadata(information: Self.texts(fields)))
        case "id3 ", "ID3 ": core.facts.add(ID3Reader.metadata(in: TagBytes(fields.bytes)))
        default: break
        }
    }

    private func beginAudio(bytes: Int64, _ core: StreamCore) throws(AudioFileStreamError) {
        guard let format = core.facts.format else {
            throw AudioFileStreamError(
                .notOptimized, "cannot parse the WAVE stream: its format stands behind its audio")
        }
        let dataBytes = Self.dataBytes(
            claimed: bytes, large: isRF64 ? largeDataBytes : nil,
            isUnfinished: declaredEnd <= core.queue.offset)
        packets = ConstantPackets(packetBytes: Int(format.mBytesPerPacket), dataBytes: dataBytes)
        core.facts.describeConstantPackets(dataBytes: dataBytes)
        core.facts.declaredBitRate = Double(format.mBytesPerPacket) * 8 * format.mSampleRate
        state = .audio
        core.becomeReady()
    }

    /// Bytes of audio; nil if they go on to the end of the stream.
    private static func dataBytes(claimed: Int64, large: Int64?, isUnfinished: Bool) -> Int64? {
        switch claimed {
        case 0xFFFF_FFFF where large != nil:
            // Who writes RF64 into a pipe puts 0, 2^43 or the largest number there is, less a header.
            return large.flatMap {
                $0 == 0 || $0 == PlaceholderLength.large || $0 >= Int64.max - 0xFFFF ? nil : $0
            }
        case 0: return isUnfinished ? nil : 0
        case _ where PlaceholderLength.contains(claimed): return nil
        default: return claimed
        }
    }

    /// The texts of a list, by their published keys as far as there are such.
    private static func texts(_ fields: FieldReader) -> [AudioFileInformation] {
        var texts: [AudioFileInformation] = []
        var offset = 4
        while let length = fields.uint32(at: offset + 4), texts.count < mostTexts {
            let start = offset + 8
            let end = min(start + Int(length), fields.bytes.count)
            let mark = fields.mark(at: offset)
            if let text = InformationText.decode(fields.bytes[start..<end]) {
                let key = InformationKeys.key(of: mark, in: InformationKeys.riff)
                texts.append(InformationKeys.information(key ?? mark, text))
            }
            offset = start + Int(length) + Int(length) & 1
        }
        return texts
    }

    func place(ofPacket packet: Int64, _ core: StreamCore) -> StreamPlace? { packets.place(ofPacket: packet) }

    func resume(atPacket packet: Int64, _ place: StreamPlace, _ core: StreamCore) { packets.resume(place) }

    func resumeAfterGap(_ core: StreamCore) -> Bool { true }

    private static let formBytes = 12
    private static let chunkHeaderBytes = 8
    /// More than any field that is read stands at.
    private static let longestFormat: Int64 = 64
    private static let mostTexts = 256
}
