// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// A parser of Core Audio Format in a stream.
final class CAFStreamParser: ContainerParser {
    private enum State {
        case fileHeader, chunkHeader
        case contents(CAFChunkType, bytes: Int64)
        case packetTable(bytes: Int64)
        case packetTableEntries(left: Int64)
        case editCount(audioBytes: Int64)
        case firstPackets(audioBytes: Int64)
        case constantAudio, tabledAudio
    }

    private var state = State.fileHeader
    private var walk = ChunkWalk(.caf)
    private var header = CAFHeader()
    /// The number of bytes read from chunks other than audio and packet table. It is limited, so that a stream of such
    /// chunks cannot fill memory.
    private var contentsBytes: Int64 = 0
    /// The number of bytes kept of the packet table.
    private var tableBytes: Int64 = 0
    private var constant = ConstantPackets(packetBytes: 1, dataBytes: 0)
    private var tabled = TabledPackets(positions: CAFPositions(), isDescribed: true)

    func step(_ core: StreamCore) throws(AudioFileError) -> StreamStep {
        switch state {
        case .fileHeader:
            let headerBytes = Int(ChunkGrammar.caf.firstChunkOffset)
            guard let bytes = take(headerBytes, core) else { return .needs(headerBytes) }
            if bytes[4..<6] != [0, 1] { core.facts.warnings.append("the file's version is not 1") }
            core.found(.caf)
            walk = ChunkWalk(.caf, from: core.queue.offset)
            state = .chunkHeader
        case .chunkHeader:
            guard let chunk = try walk.next(core) else { return .needs(walk.headerCount) }
            try begin(chunk)
        case .contents(let type, let bytes):
            guard let contents = take(Int(bytes), core) else { return .needs(Int(bytes)) }
            try take(type, contents, core)
            state = .chunkHeader
        case .packetTable(let bytes):
            let headerBytes = Int(min(bytes, Int64(CAFPacketTableHeader.bytes)))
            guard let contents = take(headerBytes, core) else { return .needs(headerBytes) }
            let isWanted = try header.takePacketTableHeader(contents)
            passPacketTable(left: bytes - Int64(headerBytes), isWanted: isWanted)
        case .packetTableEntries(let left):
            guard core.queue.count > 0 else { return .needs(1) }
            let piece = core.queue.prefix(Int(min(left, Int64(core.queue.count))))
            core.queue.skip(Int64(piece.count))
            tableBytes += Int64(piece.count)
            let isWanted = header.takePacketTableEntries(piece)
            passPacketTable(left: left - Int64(piece.count), isWanted: isWanted)
        case .editCount(let audioBytes):
            guard take(Int(CAFChunkHeader.editCountBytes), core) != nil else {
                return .needs(Int(CAFChunkHeader.editCountBytes))
            }
            state = .firstPackets(audioBytes: audioBytes)
        case .firstPackets(let audioBytes):
            if let needed = examinePackets(core), !core.isAtEnd { return .needs(needed) }
            try beginAudio(bytes: audioBytes, core)
        case .constantAudio: return constant.step(core)
        case .tabledAudio: return try tabled.step(core)
        }
        return .again
    }

    /// Takes the first available bytes; nil if there are too few.
    private func take(_ bytes: Int, _ core: StreamCore) -> [UInt8]? {
        guard core.queue.count >= bytes else { return nil }
        defer { core.queue.skip(Int64(bytes)) }
        return core.queue.prefix(bytes)
    }

    private func begin(_ chunk: ChunkWalk.Chunk) throws(AudioFileError) {
        let type = CAFChunkType(rawValue: chunk.type)
        let code = FourCharacterCode(rawValue: chunk.type)
        guard code.isPrintable, header.description != nil || type == .desc else {
            throw AudioFileError(.damaged, "its first chunk is \(code), not the format's description")
        }
        guard chunk.declaredBytes >= 0 || type == .data else {
            throw AudioFileError(.damaged, "chunk \(code) has a size of \(chunk.declaredBytes)")
        }
        switch type {
        case .data: state = .editCount(audioBytes: chunk.declaredBytes)
        case .pakt: state = .packetTable(bytes: chunk.declaredBytes)
        case let type? where type != .free && chunk.declaredBytes <= Self.longestContents - contentsBytes:
            contentsBytes += chunk.declaredBytes
            state = .contents(type, bytes: chunk.declaredBytes)
        default: break
        }
    }

    private func take(
        _ type: CAFChunkType, _ contents: [UInt8], _ core: StreamCore
    ) throws(AudioFileError) {
        let isFirst = header.description == nil
        try header.take(type, contents)
        // For AAC the decoded format is known only after the first packets.
        if isFirst, let format = header.description?.format, format.mFormatID != kAudioFormatMPEG4AAC,
            format.mFormatID != kAudioFormatMPEG4AAC_HE
        {
            core.found(format)
        }
    }

    /// Continues with the rest of the packet table's chunk.
    private func passPacketTable(left: Int64, isWanted: Bool) {
        let isRead = isWanted && left > 0 && tableBytes < StreamLimits.headerPartBytes
        state = isRead ? .packetTableEntries(left: left) : .chunkHeader
    }

    /// Detects AAC extensions in the first packets; returns the number of bytes needed to decide, or nil after the
    /// decision.
    private func examinePackets(_ core: StreamCore) -> Int? {
        guard let format = header.description?.format, let index = header.index,
            let announced = MP4Coding.config(format: format, magicCookie: header.magicCookie)
        else { return nil }
        let packets = TabledPackets(
            positions: CAFPositions(index: index, dataStart: core.queue.offset, isTimed: false),
            isDescribed: true)
        let (config, needed) = packets.config(foundFor: announced, core)
        if needed == nil || core.isAtEnd, config != announced { header.take(found: config) }
        return needed
    }

    private func beginAudio(bytes: Int64, _ core: StreamCore) throws(AudioFileError) {
        guard let format = header.description?.format else { return }
        let editCountBytes = CAFChunkHeader.editCountBytes
        let dataBytes = editCountBytes..<(.max / 2) ~= bytes ? bytes - editCountBytes : nil
        guard !format.needsPacketTable || header.index != nil else {
            throw AudioFileError(.notSeekable, "its packet table comes after its audio")
        }
        try header.completePacketTable(dataBytes: dataBytes)
        if core.facts.format == nil { core.found(format) }
        core.facts.magicCookie = header.magicCookie
        core.facts.channelLabels = header.channelLabels ?? []
        core.facts.information = header.information
        for fault in header.faults { core.facts.warnings.append(fault) }
        if let index = header.index {
            describe(index, dataStart: core.queue.offset, dataBytes: dataBytes, format, core)
        } else {
            state = .constantAudio
            constant = ConstantPackets(packetBytes: Int(format.mBytesPerPacket), dataBytes: dataBytes)
            core.facts.describeConstantPackets(dataBytes: dataBytes)
            // No chunk follows audio that extends to the end, and packets of one frame need no trims.
            core.facts.mayHaveTableBehind =
                header.packetTable == nil && dataBytes != nil && format.mFramesPerPacket > 1
            core.facts.declaredBitRate =
                Double(format.mBytesPerPacket) * 8 * format.mSampleRate / Double(format.mFramesPerPacket)
            if let frames = core.facts.packetTable?.validFrames {
                resolve(total: frames, core)
            } else if let table = header.packetTable {
                // The counts of the header are used unless the end of the stream contradicts them.
                if table.promisesSound { core.facts.packetTable = table.frames }
                core.tableAtEnd = { packets in
                    let (frames, overflow) = packets.multipliedReportingOverflow(
                        by: Int64(format.mFramesPerPacket))
                    return table.resolved(total: overflow ? .max : frames).frames
                }
            }
        }
        core.becomeReady()
    }

    private func describe(
        _ index: CAFPacketIndex, dataStart: Int64, dataBytes: Int64?, _ format: AudioStreamBasicDescription,
        _ core: StreamCore
    ) {
        state = .tabledAudio
        tabled = TabledPackets(
            positions: CAFPositions(
                index: index, dataStart: dataStart, isTimed: format.mFramesPerPacket == 0),
            isDescribed: true)
        core.facts.packetCount = Int64(index.count)
        core.facts.dataByteCount = dataBytes ?? index.end.byteOffset
        core.facts.maximumPacketSize = Int(index.largestBytes)
        core.facts.packetSizeUpperBound = Int(index.largestBytes)
        if index.count > 0 {
            core.facts.declaredBytesPerPacket = Double(index.end.byteOffset) / Double(index.count)
        }
        if index.end.frame > 0 {
            core.facts.declaredBitRate =
                Double(index.end.byteOffset) * 8 * format.mSampleRate / Double(index.end.frame)
        }
        resolve(total: index.end.frame, core)
    }

    private func resolve(total: Int64, _ core: StreamCore) {
        guard let table = header.packetTable else {
            core.facts.packetTable = PacketTable(primingFrames: 0, validFrames: total, remainderFrames: 0)
            return
        }
        let (frames, fault) = table.resolved(total: total)
        core.facts.packetTable = frames
        if let fault { core.facts.warnings.append(fault) }
    }

    func position(ofPacket packet: Int64, _ core: StreamCore) -> StreamPosition? {
        guard let index = header.index else { return constant.position(ofPacket: packet) }
        return packet < index.count
            ? StreamPosition(byteOffset: index.position(of: Int(packet)).byteOffset, isEstimated: false) : nil
    }

    func resume(atPacket packet: Int64, _ position: StreamPosition, _ core: StreamCore) {
        constant.resume(position)
        tabled.resume(atPacket: packet, positions: tabled.positions.moved(to: packet))
    }

    /// Returns false if a packet table lists the packets, which cannot be found after a gap.
    func resumeAfterGap(_ core: StreamCore) -> Bool { header.index == nil }

    /// The largest total size of chunks other than audio and packet table, in bytes.
    private static let longestContents = Int64(CAFHeader.maximumContentsBytes)
}
