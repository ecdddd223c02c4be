import CoreAudioTypes
import MagicCookies

/// Parses AAC in an ADTS stream; packets come without their headers.
final class ADTSStreamParser: ContainerParser {
    /// Of the first frame: the format of the stream.
    private var first: ADTSHeader?
    /// True if the next frame must stand where the last one ended.
    private var isInStep = false
    private var sync = SyncSearch(what: "AAC")
    /// Frames with their headers, for estimates.
    private var framedBytes: Int64 = 0
    private var frames: Int64 = 0

    func step(_ core: StreamCore) throws(AudioFileStreamError) -> StreamStep {
        let leastBytes = ADTSHeader.leastBytes
        guard core.queue.count >= SyncSearch.markBytes || core.isAtEnd else {
            return .needs(SyncSearch.markBytes)
        }
        guard core.queue.count >= leastBytes else { return sync.end(core) }
        guard unsafe core.queue.bytes[0] == 0xFF, let header = unsafe ADTSHeader(bytes: core.queue.bytes)
        else { return try miss(core) }
        if isInStep, first.map(header.isSameStream) ?? false {
            guard core.queue.count >= header.frameBytes else {
                return core.isAtEnd
                    ? sync.endInside(packetOf: header.frameBytes, core) : .needs(header.frameBytes)
            }
        } else {
            let wanted = header.frameBytes + SyncSearch.markBytes
            guard core.queue.count >= wanted || core.isAtEnd else { return .needs(wanted) }
            guard isPlausible(header, core) else { return try miss(core) }
        }
        try take(header, core)
        return .again
    }

    /// Twelve bits of sync are met by chance in any 4 KB: what is not just where it should be must be followed
    /// by its like, or by the end of the stream.
    private func isPlausible(_ header: ADTSHeader, _ core: StreamCore) -> Bool {
        guard core.queue.count >= header.frameBytes else { return false }
        let after = unsafe UnsafeRawBufferPointer(rebasing: core.queue.bytes[header.frameBytes...])
        if let next = unsafe ADTSHeader(bytes: after) {
            return next.isSameStream(as: header) || first.map(next.isSameStream) ?? false
        }
        return unsafe (first.map(header.isSameStream) ?? true) && (after.isEmpty || StreamTags.begin(after))
    }

    private func miss(_ core: StreamCore) throws(AudioFileStreamError) -> StreamStep {
        isInStep = false
        return try sync.miss(core)
    }

    private func take(_ header: ADTSHeader, _ core: StreamCore) throws(AudioFileStreamError) {
        sync.found(core)
        isInStep = true
        // The packet itself is for the next step.
        guard first != nil else { return try begin(header, core) }
        frames += 1
        framedBytes += Int64(header.frameBytes)
        let packetBytes = header.frameBytes - header.headerBytes
        // Decoders take an empty packet for the end, and one of another format for noise.
        guard let first, header.isSameStream(as: first), header.rawDataBlocks == 1, packetBytes > 0 else {
            core.facts.warnings.append(
                "a frame of another format, or of none, at byte \(core.queue.offset) is left out")
            core.queue.skip(Int64(header.frameBytes))
            return
        }
        core.queue.skip(Int64(header.headerBytes))
        core.deliverPacket(bytes: packetBytes)
    }

    private func begin(_ header: ADTSHeader, _ core: StreamCore) throws(AudioFileStreamError) {
        core.found(.adts)
        guard header.rawDataBlocks == 1 else {
            throw AudioFileStreamError(
                .unsupportedDataFormat,
                "cannot parse the ADTS stream: its packets hold \(header.rawDataBlocks) blocks each, not one")
        }
        let packet = unsafe Array(core.queue.bytes[header.headerBytes..<header.frameBytes])
        let config: AudioSpecificConfig
        do {
            config = try header.audioSpecificConfig(packet: packet)
        } catch {
            throw AudioFileStreamError(.invalidFile, "cannot parse the ADTS stream: \(error.message)")
        }
        try StreamLimits.check(sampleRate: config.format.mSampleRate, channels: config.channels)
        first = header
        core.found(config.format)
        core.facts.magicCookie = AACCookie.cookie(for: config)
        if FAACMark.isFound(in: packet), config.framesPerPacket > 0 {
            core.facts.declaredPrimingFrames = FAACMark.primingFrames
            core.tableAtEnd = { packets in
                let total = packets * Int64(config.format.mFramesPerPacket)
                let priming = min(FAACMark.primingFrames, total)
                return PacketTable(primingFrames: priming, validFrames: total - priming, remainderFrames: 0)
            }
        }
        core.facts.packetSizeUpperBound = ADTSHeader.maximumFrameBytes - ADTSHeader.leastBytes
        core.becomeReady()
    }

    func place(ofPacket packet: Int64, _ core: StreamCore) -> StreamPlace? {
        sync.estimate(packet: packet, framedBytes: framedBytes, frames: frames)
    }

    func resume(atPacket packet: Int64, _ place: StreamPlace, _ core: StreamCore) {
        isInStep = false
        sync.expectGap()
    }

    func resumeAfterGap(_ core: StreamCore) -> Bool {
        isInStep = false
        sync.expectGap()
        return true
    }
}
