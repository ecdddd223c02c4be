import CoreAudioTypes

/// Parses AIFF and AIFF-C.
final class AIFFStreamParser: ContainerParser {
    private enum State {
        case form, chunkHeader
        case contents(mark: String, bytes: Int)
        case soundHeader(bytes: Int64)
        case audio
    }

    private var state = State.form
    private var walk = ChunkWalk(.aiff)
    private var isCompressed = false
    private var frames: Int64 = 0
    private var packets = ConstantPackets(packetBytes: 1, dataBytes: 0)

    func step(_ core: StreamCore) throws(AudioFileStreamError) -> StreamStep {
        switch state {
        case .form:
            guard let head = fields(core, Self.formBytes) else { return .needs(Self.formBytes) }
            isCompressed = head.mark(at: 8) == "AIFC"
            walk = ChunkWalk(.aiff, from: core.queue.offset + Int64(Self.formBytes))
            core.found(isCompressed ? .aiffC : .aiff)
            state = .chunkHeader
        case .chunkHeader:
            guard let chunk = try walk.next(core) else { return .needs(walk.headerCount) }
            begin(chunk)
        case .contents(let mark, let bytes):
            guard let contents = fields(core, bytes) else { return .needs(bytes) }
            try read(chunk: mark, contents, core)
            state = .chunkHeader
        case .soundHeader(let bytes):
            guard let head = fields(core, Self.soundHeaderBytes) else { return .needs(Self.soundHeaderBytes) }
            core.queue.skip(Int64(Self.soundHeaderBytes))
            try beginAudio(offset: Int64(head.uint32(at: 0) ?? 0), chunkBytes: bytes, core)
        case .audio: return packets.step(core)
        }
        return .again
    }

    /// The first available bytes; nil if there are too few.
    private func fields(_ core: StreamCore, _ bytes: Int) -> FieldReader? {
        core.queue.count >= bytes ? FieldReader(bytes: core.queue.prefix(bytes), isBigEndian: true) : nil
    }

    private func begin(_ chunk: ChunkWalk.Chunk) {
        let mark = chunk.name
        switch mark {
        case "SSND": state = .soundHeader(bytes: chunk.declaredBytes)
        case "COMM", "CHAN", "NAME", "AUTH", "ANNO", "(c) ", "ID3 ", "id3 ":
            let most = mark == "COMM" ? Self.longestFormat : StreamFacts.longestText
            state = .contents(mark: mark, bytes: Int(min(chunk.declaredBytes, most)))
        default: break
        }
    }

    private func read(
        chunk mark: String, _ fields: FieldReader, _ core: StreamCore
    ) throws(AudioFileStreamError) {
        switch mark {
        case "COMM" where core.facts.format == nil:
            let common = try AIFFCommon(fields, isCompressed: isCompressed)
            frames = common.packets
            core.found(common.description)
        case "CHAN":
            // An invalid layout does not prevent playback; the usual one is used.
            if let labels = try? CAFChannelLayout.labels(fields.bytes) { core.facts.channelLabels = labels }
        case "COMM": break
        case "ID3 ", "id3 ": core.facts.add(ID3Reader.metadata(in: TagBytes(fields.bytes)))
        default:
            if let text = InformationText.decode(fields.bytes),
                let key = InformationKeys.key(of: mark, in: InformationKeys.aiff),
                core.facts.information.count < Self.mostTags
            {
                core.facts.information.append(AudioFileInformation(key, text))
            }
        }
    }

    private func beginAudio(
        offset: Int64, chunkBytes: Int64, _ core: StreamCore
    ) throws(AudioFileStreamError) {
        guard let format = core.facts.format else {
            throw AudioFileStreamError(
                .notOptimized, "cannot parse the AIFF stream: its format stands behind its audio")
        }
        if core.facts.channelLabels.count != Int(format.mChannelsPerFrame) { core.facts.channelLabels = [] }
        core.queue.skip(offset)
        let heldBytes = Self.dataBytes(chunkBytes: chunkBytes, offset: offset)
        let countedBytes = frames > 0 ? frames * Int64(format.mBytesPerPacket) : .max
        let dataBytes = heldBytes.map { min($0, countedBytes) }
        packets = ConstantPackets(packetBytes: Int(format.mBytesPerPacket), dataBytes: dataBytes)
        core.facts.dataOffset = core.queue.nextOffset
        core.facts.describeConstantPackets(dataBytes: dataBytes)
        core.facts.declaredBitRate =
            Double(format.mBytesPerPacket) * 8 * format.mSampleRate / Double(format.mFramesPerPacket)
        if let heldBytes, heldBytes / Int64(format.mBytesPerPacket) != frames {
            let count = heldBytes / Int64(format.mBytesPerPacket)
            core.facts.warnings.append(
                "the header counts \(frames) packets, but its audio has \(count)",
                grade: frames > count ? .damage : .oddity)
        }
        state = .audio
        core.becomeReady()
    }

    /// The bytes of audio; nil if it extends to the end of the stream.
    private static func dataBytes(chunkBytes: Int64, offset: Int64) -> Int64? {
        switch chunkBytes {
        // AIFF has no value for an open length. Programs that write to a pipe use the maximum, or 2^31, each less a
        // header or rounding.
        case 0, 0x7FFF_0000...0x8000_0000, 0xFFFF_0000...0xFFFF_FFFF: nil
        default: max(chunkBytes - Int64(soundHeaderBytes) - offset, 0)
        }
    }

    func position(ofPacket packet: Int64, _ core: StreamCore) -> StreamPosition? {
        packets.position(ofPacket: packet)
    }

    func resume(atPacket packet: Int64, _ position: StreamPosition, _ core: StreamCore) {
        packets.resume(position)
    }

    func resumeAfterGap(_ core: StreamCore) -> Bool { true }

    private static let formBytes = 12
    /// The offset and block size before the samples.
    private static let soundHeaderBytes = 8
    private static let longestFormat: Int64 = 32
    private static let mostTags = 256
}

/// The contents of an AIFF file's 'COMM' chunk.
struct AIFFCommon {
    let description: AudioStreamBasicDescription
    /// The count in the chunk: frames, or packets for 'ima4'.
    let packets: Int64

    init(_ fields: FieldReader, isCompressed: Bool) throws(AudioFileStreamError) {
        guard let channels = fields.uint16(at: 0).map(Int.init), let frames = fields.uint32(at: 2),
            let bits = fields.uint16(at: 6).map(Int.init), let rate = fields.float80(at: 8)
        else {
            throw AudioFileStreamError(
                .invalidFile, "cannot read the AIFF format: it has only \(fields.bytes.count) bytes")
        }
        packets = Int64(frames)
        try StreamLimits.check(sampleRate: rate, channels: channels)
        let coding = isCompressed ? fields.mark(at: 18) : "NONE"
        description = try Self.format(coding: coding, bits: bits, channels: channels, rate: rate)
    }

    private static func format(
        coding: String, bits: Int, channels: Int, rate: Double
    ) throws(AudioFileStreamError) -> AudioStreamBasicDescription {
        func integers(_ bytes: Int, isBigEndian: Bool) -> AudioStreamBasicDescription {
            .signedInteger(
                bits: 8 * bytes, isBigEndian: isBigEndian && bytes > 1, channels: channels, sampleRate: rate)
        }
        switch coding {
        case "NONE" where 1...32 ~= bits, "twos" where 1...32 ~= bits, "sowt" where 1...32 ~= bits:
            return integers((bits + 7) / 8, isBigEndian: coding != "sowt")
        case "in24": return integers(3, isBigEndian: true)
        case "in32": return integers(4, isBigEndian: true)
        case "42ni": return integers(3, isBigEndian: false)
        case "23ni": return integers(4, isBigEndian: false)
        case "raw ":
            return .unsignedInteger(bits: 8, isBigEndian: false, channels: channels, sampleRate: rate)
        case "fl32", "FL32": return .float(bits: 32, isBigEndian: true, channels: channels, sampleRate: rate)
        case "fl64", "FL64": return .float(bits: 64, isBigEndian: true, channels: channels, sampleRate: rate)
        case "ulaw", "ULAW": return .g711(kAudioFormatULaw, channels: channels, sampleRate: rate)
        case "alaw", "ALAW": return .g711(kAudioFormatALaw, channels: channels, sampleRate: rate)
        case "ima4":
            return .encoded(
                kAudioFormatAppleIMA4, bytesPerPacket: 34 * channels, framesPerPacket: 64, channels: channels,
                sampleRate: rate)
        default:
            throw AudioFileStreamError(
                .unsupportedDataFormat,
                "cannot parse the AIFF stream: coding '\(coding)' of \(bits) bits is not known")
        }
    }
}
