// SPDX-License-Identifier: MIT

#if HAVE_MPEG_AUDIO
import CoreAudioTypes
import AQMPEGAudio

/// A parser of MPEG audio, layers I to III, with the rules of ``MPEGFrameScan``.
final class MPEGStreamParser: ContainerParser {
    /// The header of the first packet, which defines the stream's format.
    private var first: MPEGFrameHeader?
    private var sampleRate = 0
    private var tag: MPEGInfoTag?
    private var tagFrameBytes = 0
    private var scan = MPEGFrameScan()
    private var sync = SyncSearch(what: "MPEG audio")
    private var framedBytes: Int64 = 0
    private var frames: Int64 = 0
    /// The number of decoded frames of the packets.
    private var totalFrames: Int64 = 0
    private var packetEnd: Int64 = 0

    func step(_ core: StreamCore) throws(AudioFileError) -> StreamStep {
        switch unsafe scan.next(in: core.queue.bytes, isEnd: core.isAtEnd) {
        case .frame(let header, let bytes): take(header, bytes, core)
        // Joined recordings have tags between them.
        case .tag(let bytes): core.queue.skip(bytes)
        case .other: return try sync.miss(core)
        case .needs(let count): return core.isAtEnd ? sync.end(core) : .needs(count)
        case .cut(let bytes, let wanted): sync.endInside(packetOf: wanted, bytes: bytes, core)
        }
        return .again
    }

    private func take(_ header: MPEGFrameHeader, _ frameBytes: Int, _ core: StreamCore) {
        sync.found(core)
        noteChange(to: header, core)
        // The packet itself is handled in the next step.
        guard first != nil else { return begin(header, frameBytes, core) }
        guard frameBytes <= core.facts.packetSizeUpperBound ?? 0 else {
            core.facts.warnings.append(
                "\(frameBytes) bytes at byte \(core.queue.offset) are too long for a packet")
            core.queue.skip(Int64(frameBytes))
            return
        }
        if core.isUnbroken, let counted = tag?.packets, core.facts.deliveredPackets == counted {
            passCount(core)
        }
        totalFrames += Int64(
            MPEGDecoder.frames(of: header, number: Int(frames), sampleRate: first?.sampleRate ?? 0))
        frames += 1
        framedBytes += Int64(frameBytes)
        packetEnd = core.queue.offset + Int64(frameBytes)
        core.deliverPacket(bytes: frameBytes)
    }

    private func noteChange(to header: MPEGFrameHeader, _ core: StreamCore) {
        defer { sampleRate = header.sampleRate }
        guard first != nil, header.sampleRate != sampleRate else { return }
        core.facts.warnings.append(
            "the rate changes to \(header.sampleRate) Hz at packet \(core.facts.deliveredPackets), byte "
                + "\(core.queue.offset)")
    }

    /// Publishes the properties from the first frame, and skips that frame if it is not audio.
    private func begin(_ header: MPEGFrameHeader, _ frameBytes: Int, _ core: StreamCore) {
        first = header
        core.found(.mp3)
        let format = header.format
        core.found(format)
        core.facts.packetSizeUpperBound = header.mostPacketBytes(firstFrameBytes: frameBytes)
        let frame = unsafe UnsafeRawBufferPointer(rebasing: core.queue.bytes[..<frameBytes])
        tag = unsafe MPEGInfoTag(packet: frame.bytes, header: header)
        core.tableAtEnd = { [unowned self] packets in
            PacketTable(
                tag: tag, packets: packets, totalFrames: totalFrames,
                framesPerPacket: Int64(header.samplesPerFrame))
        }
        if let tag {
            describe(tag, format, core)
            tagFrameBytes = frameBytes
            core.queue.skip(Int64(frameBytes))
        }
        core.facts.dataOffset = core.queue.nextOffset
        // Some encoders write the tag into a smaller frame than those of the audio.
        let audioHeader = tag == nil ? header : unsafe MPEGFrameHeader(core.queue.bytes.bytes) ?? header
        if audioHeader.bitRate > 0, tag == nil || tag?.kind == .info, core.facts.declaredBitRate == nil {
            core.facts.declaredBitRate = Double(audioHeader.bitRate)
        }
        core.becomeReady()
    }

    /// Drops the packet count and the packet table of the tag, because the stream has more packets than the tag counts.
    /// In joined recordings the tag describes only the first one, so its remainder frames are not at the stream's end.
    private func passCount(_ core: StreamCore) {
        core.facts.declaredPrimingFrames = core.facts.packetTable?.primingFrames
        (core.facts.packetCount, core.facts.packetTable) = (nil, nil)
        core.firstUncertainPacket = nil
    }

    private func describe(_ tag: MPEGInfoTag, _ format: AudioStreamBasicDescription, _ core: StreamCore) {
        if let encoder = TagText.clean(tag.encoder) {
            core.facts.add(FileMetadata(information: [AudioFileInformation("source encoder", encoder)]))
        }
        guard let packets = tag.packets, packets > 0 else { return }
        let framesPerPacket = Int64(format.mFramesPerPacket)
        guard let table = PacketTable(tag: tag, framesPerPacket: framesPerPacket) else { return }
        core.facts.packetCount = packets
        core.facts.packetTable = table
        // The packet of the last frame is held back too: a client that has all frames of the table may stop.
        core.firstUncertainPacket = min(
            max(table.primingFrames + table.validFrames - 1, 0) / framesPerPacket, packets - 1)
        let start = core.queue.offset
        core.tableAtEnd = { [unowned self, unowned core] delivered in
            let fault = MPEGCountFault.words(
                tag, packets: delivered, packetBytes: packetEnd - start,
                streamBytes: core.queue.offset - start)
            if let fault { core.facts.warnings.append(fault) }
            return PacketTable(
                tag: tag, packets: delivered, totalFrames: totalFrames, framesPerPacket: framesPerPacket)
        }
        guard let bytes = tag.bytes, bytes > tagFrameBytes else { return }
        core.facts.declaredBitRate =
            Double(bytes) * 8 * format.mSampleRate / (Double(packets) * Double(format.mFramesPerPacket))
    }
}

extension MPEGStreamParser {
    func position(ofPacket packet: Int64, _ core: StreamCore) -> StreamPosition? {
        // The table does not cover packets beyond its count, as in joined recordings.
        guard packet > 0, let tag, tag.tableOfContents.count == 100, let packets = tag.packets,
            let bytes = tag.bytes, packet < packets
        else { return sync.estimate(packet: packet, framedBytes: framedBytes, frames: frames) }
        let percent = Double(packet) * 100 / Double(packets)
        let step = min(Int(percent), 99)
        let low = Double(tag.tableOfContents[step])
        let high = step < 99 ? Double(tag.tableOfContents[step + 1]) : 256
        let part = low + max(high - low, 0) * (percent - Double(step))
        // The table counts from the frame that contains it.
        let offset = Int64(part / 256 * Double(bytes)) - Int64(tagFrameBytes)
        return StreamPosition(byteOffset: max(offset, 0), isEstimated: true)
    }

    func resume(atPacket packet: Int64, _ position: StreamPosition, _ core: StreamCore) {
        _ = resumeAfterGap(core)
    }

    func resumeAfterGap(_ core: StreamCore) -> Bool {
        scan.passGap()
        sync.expectGap()
        return true
    }
}

extension PacketTable {
    /// Makes a table from an encoder's tag, for as many packets as the tag counts; nil if the tag has no count.
    init?(tag: MPEGInfoTag, framesPerPacket: Int64) {
        guard let packets = tag.packets else { return nil }
        self.init(tag: tag, packets: packets, framesPerPacket: framesPerPacket)
    }

    /// Makes a table from an encoder's tag, for a number of packets; nil for impossible values.
    init?(tag: MPEGInfoTag, packets: Int64, framesPerPacket: Int64) {
        let (total, overflow) = packets.multipliedReportingOverflow(by: framesPerPacket)
        guard !overflow else { return nil }
        self.init(tag: tag, packets: packets, totalFrames: total, framesPerPacket: framesPerPacket)
    }

    /// - Parameter totalFrames: The number of frames of all packets, whose lengths may differ.
    init(tag: MPEGInfoTag?, packets: Int64, totalFrames total: Int64, framesPerPacket: Int64) {
        // COMPAT: as in libmpg123, trims are used only in pairs, and only with a count of packets to check them
        // against.
        guard let tag, let counted = tag.packets, counted > 0,
            let delay = tag.delayFrames, let padding = tag.paddingFrames
        else {
            self.init(primingFrames: 0, validFrames: total, remainderFrames: 0)
            return
        }
        let priming = min(Int64(delay) + Self.mpegDecoderDelay, total)
        // Audio beyond the tag's count is kept; a truncated stream has lost some or all of its remainder.
        let (frames, overflow) = counted.multipliedReportingOverflow(by: framesPerPacket)
        let countedEnd = (overflow ? .max : frames) - max(Int64(padding) - Self.mpegDecoderDelay, 0)
        let remainder = packets > counted ? 0 : min(max(total - countedEnd, 0), total - priming)
        self.init(
            primingFrames: priming, validFrames: total - priming - remainder, remainderFrames: remainder)
    }

    /// The delay of a decoder's output relative to the encoder's input, in frames (ISO 11172-3, filterbank).
    private static let mpegDecoderDelay: Int64 = 529
}
#endif
