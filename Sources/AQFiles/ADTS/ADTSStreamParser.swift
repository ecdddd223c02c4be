// SPDX-License-Identifier: MIT

import CoreAudioTypes
import AQMagicCookies

/// A parser of AAC in an ADTS stream, which passes on packets without their headers.
final class ADTSStreamParser: ContainerParser {
    /// The header of the first frame, which defines the stream's format.
    private var first: ADTSHeader?
    /// Whether the next frame must start at the end of the last one.
    private var isInStep = false
    private var sync = SyncSearch(what: "AAC")
    /// The total size of the frames with their headers, to estimate offsets.
    private var framedBytes: Int64 = 0
    private var frames: Int64 = 0

    func step(_ core: StreamCore) throws(AudioFileError) -> StreamStep {
        let leastBytes = ADTSHeader.leastBytes
        guard core.queue.count >= StreamTag.markBytes || core.isAtEnd else {
            return .needs(StreamTag.markBytes)
        }
        guard core.queue.count >= leastBytes else { return sync.end(core) }
        guard unsafe core.queue.bytes[0] == 0xFF, let header = unsafe ADTSHeader(bytes: core.queue.bytes)
        else { return try miss(core) }
        if isInStep, first.map(header.isSameStream) ?? false {
            guard core.queue.count >= header.frameBytes else {
                guard core.isAtEnd else { return .needs(header.frameBytes) }
                sync.endInside(packetOf: header.frameBytes, bytes: core.queue.count, core)
                return .needs(1)
            }
        } else {
            switch first.map({ resumption(header, like: $0, core) }) ?? beginning(core) {
            case .needs(let count): return .needs(count)
            case .chance: return try miss(core)
            case .stream: break
            }
        }
        return try take(header, core)
    }

    private func beginning(_ core: StreamCore) -> PacketChain.Verdict {
        unsafe ADTSFramer.beginning(
            in: core.queue.bytes, from: 0, isExpected: !sync.hasPassedBytes, isEnd: core.isAtEnd)
    }

    /// Decides whether a frame at an unexpected offset resumes the stream: a similar frame must follow, or the end.
    /// Twelve sync bits occur by chance in any 4 KB.
    private func resumption(
        _ header: ADTSHeader, like first: ADTSHeader, _ core: StreamCore
    ) -> PacketChain.Verdict {
        let wanted = header.frameBytes + StreamTag.markBytes
        guard core.queue.count >= wanted || core.isAtEnd else { return .needs(wanted) }
        return unsafe ADTSFramer.isResumption(header, in: core.queue.bytes, like: first) ? .stream : .chance
    }

    private func miss(_ core: StreamCore) throws(AudioFileError) -> StreamStep {
        isInStep = false
        return try sync.miss(core)
    }

    private func take(_ header: ADTSHeader, _ core: StreamCore) throws(AudioFileError) -> StreamStep {
        // The packet itself is handled in the next step.
        guard first != nil else { return try begin(header, core) }
        sync.found(core)
        isInStep = true
        frames += 1
        framedBytes += Int64(header.frameBytes)
        let packetBytes = header.frameBytes - header.headerBytes
        // Decoders take an empty packet for the end, and decode another format to noise.
        guard let first, header.isSameStream(as: first), header.rawDataBlocks == 1, packetBytes > 0 else {
            core.facts.warnings.append(
                "a frame of another format, or of none, at byte \(core.queue.offset) is left out")
            core.queue.skip(Int64(header.frameBytes))
            return .again
        }
        core.queue.skip(Int64(header.headerBytes))
        core.deliverPacket(bytes: packetBytes)
        return .again
    }

    private func begin(_ header: ADTSHeader, _ core: StreamCore) throws(AudioFileError) -> StreamStep {
        guard header.rawDataBlocks == 1 else {
            throw AudioFileError(
                .unsupported, "its packets hold \(header.rawDataBlocks) blocks each, not one")
        }
        let packet = unsafe Array(core.queue.bytes[header.headerBytes..<header.frameBytes])
        let announced: AudioSpecificConfig
        do {
            announced = try header.audioSpecificConfig(packet: packet)
        } catch {
            throw AudioFileError(.damaged, error.message)
        }
        let (detector, wanted) = Self.detectExtensions(announced, core)
        if let wanted, !core.isAtEnd { return .needs(wanted) }
        let config = detector.config
        sync.found(core)
        isInStep = true
        core.found(.adts)
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
        return .again
    }

    /// Examines the available packets; returns the number of bytes needed to decide, or nil after the decision.
    private static func detectExtensions(
        _ config: AudioSpecificConfig, _ core: StreamCore
    ) -> (ExtensionDetector, neededBytes: Int?) {
        var detector = ExtensionDetector(config)
        var position = 0
        while !detector.isDecided {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: core.queue.bytes[position...])
            guard rest.count >= ADTSHeader.leastBytes else {
                return (detector, position + ADTSHeader.leastBytes)
            }
            guard let header = unsafe ADTSHeader(bytes: rest) else { break }
            guard rest.count >= header.frameBytes else { return (detector, position + header.frameBytes) }
            if header.rawDataBlocks == 1 {
                unsafe detector.examine(
                    UnsafeRawBufferPointer(rebasing: rest[header.headerBytes..<header.frameBytes]))
            }
            position += header.frameBytes
        }
        return (detector, nil)
    }

    func position(ofPacket packet: Int64, _ core: StreamCore) -> StreamPosition? {
        sync.estimate(packet: packet, framedBytes: framedBytes, frames: frames)
    }

    func resume(atPacket packet: Int64, _ position: StreamPosition, _ core: StreamCore) {
        _ = resumeAfterGap(core)
    }

    func resumeAfterGap(_ core: StreamCore) -> Bool {
        isInStep = false
        sync.expectGap()
        return true
    }
}
