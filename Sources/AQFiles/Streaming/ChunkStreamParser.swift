// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// A parser of WAVE (also RIFX, big-endian), RF64, AIFF and AIFF-C.
final class ChunkStreamParser: ContainerParser {
    private enum State {
        case form, chunkHeader
        case contents(ChunkWalk.Chunk, bytes: Int)
        case audio
    }

    private var state = State.form
    private var walk = ChunkWalk(.aiff)
    private var type = AudioFileType.aiff
    /// The end of the outermost chunk according to its length.
    private var declaredEnd: Int64 = 0
    /// The number of packets that an AIFF format counts.
    private var countedPackets: Int64 = 0
    private var packets = ConstantPackets(packetBytes: 1, dataBytes: 0)

    func step(_ core: StreamCore) throws(AudioFileError) -> StreamStep {
        switch state {
        case .form:
            guard core.queue.count >= Self.formBytes else { return .needs(Self.formBytes) }
            let head = core.queue.prefix(Self.formBytes)
            let grammar = ChunkGrammar(head: head) ?? walk.grammar
            type = AudioFileType(head: head) ?? type
            walk = ChunkWalk(grammar, from: core.queue.offset + Int64(Self.formBytes))
            declaredEnd = grammar.declaredEnd(head: head)
            core.found(type)
            state = .chunkHeader
        case .chunkHeader:
            guard let chunk = try walk.next(core) else { return .needs(walk.headerCount) }
            try begin(chunk, core)
        case .contents(let chunk, let bytes):
            guard core.queue.count >= bytes else { return .needs(bytes) }
            state = .chunkHeader
            try read(
                chunk,
                FieldReader(bytes: core.queue.prefix(bytes), isBigEndian: walk.grammar.isBigEndian), core)
        case .audio: return packets.step(core)
        }
        return .again
    }

    private func begin(_ chunk: ChunkWalk.Chunk, _ core: StreamCore) throws(AudioFileError) {
        let most: Int64
        switch (chunk.name, walk.grammar) {
        case ("data", .riff):
            return try beginAudio(
                of: WaveHeader.audioBytes(
                    of: chunk,
                    isUnfinished: WaveHeader.isUnfinished(end: declaredEnd, audioStart: core.queue.offset)),
                core)
        case ("SSND", .aiff):
            state = .contents(chunk, bytes: Self.soundHeaderBytes)
            return
        case ("fmt ", .riff), ("ds64", .riff), ("COMM", .aiff): most = Self.longestFormat
        case ("LIST", .riff), ("CHAN", .aiff), ("id3 ", _), ("ID3 ", _): most = StreamFacts.longestText
        case (let name, .aiff) where InformationKeys.key(of: name, in: InformationKeys.aiff) != nil:
            most = StreamFacts.longestText
        default: return
        }
        state = .contents(chunk, bytes: Int(min(chunk.declaredBytes, most)))
    }

    private func read(
        _ chunk: ChunkWalk.Chunk, _ fields: FieldReader, _ core: StreamCore
    ) throws(AudioFileError) {
        switch chunk.name {
        case "fmt ", "COMM": if core.facts.format == nil { try readFormat(fields, core) }
        case "CHAN":
            // An invalid layout does not prevent playback; the usual layout is used.
            if let labels = try? CAFChannelLayout.labels(fields.bytes) { core.facts.channelLabels = labels }
        case "ds64": if type == .rf64 { walk.takeSizes(fields.bytes) }
        case "LIST":
            guard fields.mark(at: 0) == "INFO" else { return }
            core.facts.add(FileMetadata(information: Self.tags(fields)))
        case "id3 ", "ID3 ": core.facts.add(ID3Reader.metadata(in: TagBytes(fields.bytes)))
        case "SSND":
            core.queue.skip(Int64(Self.soundHeaderBytes))
            let offset = Int64(fields.uint32(at: 0) ?? 0)
            core.queue.skip(offset)
            // AIFF has no value for an open length. Programs that write to a pipe use the values of WAVE.
            let isOpen = chunk.declaredBytes == 0 || PlaceholderLength.contains(chunk.declaredBytes)
            let bytes = chunk.declaredBytes - Int64(Self.soundHeaderBytes) - offset
            try beginAudio(of: isOpen ? nil : max(bytes, 0), core)
        case let name:
            if let text = InformationText.decode(fields.bytes),
                let key = InformationKeys.key(of: name, in: InformationKeys.aiff),
                core.facts.information.count < Self.mostTags
            {
                core.facts.information.append(AudioFileInformation(key, text))
            }
        }
    }

    private func readFormat(_ fields: FieldReader, _ core: StreamCore) throws(AudioFileError) {
        guard walk.grammar == .aiff else {
            let format = try WaveFormat(fields)
            core.facts.channelLabels = format.channelLabels
            return core.found(format.description)
        }
        let common = try AIFFCommon(fields, isCompressed: type == .aiffC)
        countedPackets = common.packets
        core.found(common.description)
    }

    /// - Parameter heldBytes: The size of the audio in bytes; nil if it extends to the end of the stream.
    private func beginAudio(of heldBytes: Int64?, _ core: StreamCore) throws(AudioFileError) {
        guard let format = core.facts.format else {
            throw AudioFileError(.notSeekable, "its format comes after its audio")
        }
        let packetBytes = Int64(format.mBytesPerPacket)
        var dataBytes = heldBytes
        if let heldBytes, walk.grammar == .aiff {
            if countedPackets > 0 { dataBytes = min(heldBytes, countedPackets * packetBytes) }
            let held = heldBytes / packetBytes
            if held != countedPackets {
                core.facts.warnings.append(
                    "the header counts \(countedPackets) packets, but its audio has \(held)",
                    grade: countedPackets > held ? .damage : .oddity)
            }
        }
        if core.facts.channelLabels.count != Int(format.mChannelsPerFrame) { core.facts.channelLabels = [] }
        packets = ConstantPackets(packetBytes: Int(packetBytes), dataBytes: dataBytes)
        core.facts.dataOffset = core.queue.nextOffset
        core.facts.describeConstantPackets(dataBytes: dataBytes)
        core.facts.declaredBitRate =
            Double(packetBytes) * 8 * format.mSampleRate / Double(format.mFramesPerPacket)
        state = .audio
        core.becomeReady()
    }

    /// Reads the entries of a list, under their published keys if there are any.
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
    /// The size of the fields before the samples of AIFF.
    private static let soundHeaderBytes = 8
    /// The largest size read of a format, in bytes: past the end of every field that is read.
    private static let longestFormat: Int64 = 64
    private static let mostTags = 256
}
