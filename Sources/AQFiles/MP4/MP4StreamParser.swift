// SPDX-License-Identifier: MIT

import CoreAudioTypes
import AQMagicCookies

/// A parser of MPEG-4 and QuickTime files whose index comes first, including fragmented files.
final class MP4StreamParser: ContainerParser {
    private enum State {
        case boxHeader
        case contents(FourCharacterCode, bytes: Int64, fileOffset: Int64)
        case firstPackets, audio
    }

    private var state = State.boxHeader
    private var brand = ""
    private var track: (track: MP4Track, movie: MP4Movie)?
    /// The packets of the movie's own tables.
    private var built: MP4TablePackets?
    /// The packets of the index, or of the last fragment.
    private var packets = TabledPackets(positions: IndexPositions(index: PacketIndex()), isDescribed: true)
    /// The duration of the fragments so far, in the track's time scale.
    private var fragmentedDuration: Int64 = 0

    func step(_ core: StreamCore) throws(AudioFileError) -> StreamStep {
        switch state {
        case .boxHeader:
            let header = MP4Bytes(core.queue.prefix(MP4BoxHeader.mostBytes))
            let least = header.uint32(at: 0) == 1 ? MP4BoxHeader.mostBytes : 8
            guard core.queue.count >= least else { return .needs(least) }
            guard let box = MP4BoxHeader(header) else {
                throw AudioFileError(
                    .damaged, "the data at byte \(core.queue.offset) is not part of such a file")
            }
            return try begin(box, core)
        case .contents(let type, let bytes, let fileOffset):
            guard core.queue.count >= Int(bytes) else { return .needs(Int(bytes)) }
            let contents = MP4Bytes(core.queue.prefix(Int(bytes)), fileOffset: core.queue.offset)
            core.queue.skip(bytes)
            state = .boxHeader
            try read(type, contents, fileOffset: fileOffset, core)
        case .firstPackets:
            if let needed = becomeReady(core) { return .needs(needed) }
        case .audio:
            let step = try packets.step(core)
            // After the packets of a fragment, the next fragment follows.
            guard case .done = step, track?.movie.isFragmented == true else { return step }
            core.queue.skip(max(boxEnd - core.queue.nextOffset, 0))
            state = .boxHeader
        }
        return .again
    }

    /// The end of the box with the fragment's audio.
    private var boxEnd: Int64 = 0

    private func begin(_ box: MP4BoxHeader, _ core: StreamCore) throws(AudioFileError) -> StreamStep {
        let offset = core.queue.offset
        let type = box.type.description
        switch type {
        case "'mdat'" where track == nil:
            throw AudioFileError(.notSeekable, "its index comes after the audio")
        case "'mdat'":
            let (end, overflow) = offset.addingReportingOverflow(box.boxBytes ?? .max)
            boxEnd = overflow ? .max : end
            // The first fragment may contain only another track.
            guard core.facts.isReady || packets.positions.index.count > 0 else {
                core.queue.skip(box.boxBytes ?? .max)
                return .again
            }
            core.queue.skip(Int64(box.headerBytes))
            state = core.facts.isReady ? .audio : .firstPackets
            return .again
        case "'ftyp'", "'moov'", "'moof'":
            guard let bytes = box.boxBytes.map({ $0 - Int64(box.headerBytes) }),
                bytes <= StreamLimits.headerPartBytes
            else { throw AudioFileError(.damaged, "its box \(type) is too long to be read") }
            core.queue.skip(Int64(box.headerBytes))
            state = .contents(box.type, bytes: bytes, fileOffset: offset)
            return .again
        default:
            guard let bytes = box.boxBytes else {
                guard track == nil else { return .done }
                throw AudioFileError(
                    .damaged, "its box \(type) reaches to the end, and no index comes before it")
            }
            core.queue.skip(bytes)
            return .again
        }
    }

    private func read(
        _ type: FourCharacterCode, _ contents: MP4Bytes, fileOffset: Int64, _ core: StreamCore
    ) throws(AudioFileError) {
        switch type.description {
        case "'ftyp'":
            brand = contents.uint32(at: 0).map { FourCharacterCode(rawValue: $0).description } ?? ""
        case "'moov'" where track == nil: try take(contents, core)
        case "'moof'": take(fragment: contents, fileOffset: fileOffset, core)
        default: break
        }
    }

    private func take(_ moov: MP4Bytes, _ core: StreamCore) throws(AudioFileError) {
        guard moov.box("cmov") == nil else {
            throw AudioFileError(.unsupported, "its index is itself compressed")
        }
        let movie = try MP4Movie(moov)
        let track = try movie.soundTrack()
        self.track = (track, movie)
        core.containerName = brand == "" || brand == "'qt  '" ? "QuickTime" : nil
        core.found(.m4a)
        core.facts.information = movie.metadata.information
        core.facts.artwork = movie.metadata.artwork
        let format = track.coding.format
        let built = MP4TablePackets(track.tables, of: format, fileBytes: nil)
        self.built = built
        for line in built.faults + track.edits.notes { core.facts.warnings.append(line) }
        packets = TabledPackets(
            positions: IndexPositions(index: built.index), isDescribed: format.mBytesPerPacket == 0)
        if movie.isFragmented {
            fragmentedDuration = track.tables.totalDuration
            core.firstUncertainPacket = max(built.index.count - Self.uncertainPackets, 0)
        }
        // A movie may have packets before its fragments; otherwise the first packet is in a fragment.
        let waitsForFragment = movie.isFragmented && built.index.count == 0
        if !waitsForFragment || announcedConfig.map({ ExtensionDetector($0).isDecided }) ?? true {
            state = .firstPackets
        }
    }

    /// The AAC configuration in the movie.
    private var announcedConfig: AudioSpecificConfig? {
        guard let coding = track?.track.coding else { return nil }
        return MP4Coding.config(format: coding.format, magicCookie: coding.magicCookie)
    }

    /// Publishes the stream's properties; returns the number of bytes needed first, or nil if done.
    private func becomeReady(_ core: StreamCore) -> Int? {
        guard let (track, movie) = track, let built else { return nil }
        var coding = track.coding
        if let announced = announcedConfig {
            let (config, needed) = packets.config(foundFor: announced, core)
            if let needed, !core.isAtEnd { return needed }
            coding = MP4Coding(found: config, insteadOf: announced) ?? coding
        }
        core.found(coding.format)
        core.facts.magicCookie = coding.magicCookie
        core.facts.channelLabels = coding.channelLabels
        if movie.isFragmented {
            beginFragments(built, coding.format, core)
        } else {
            describe(built, coding.format, core)
        }
        state = movie.isFragmented && packets.positions.index.count == 0 ? .boxHeader : .audio
        core.becomeReady()
        return nil
    }

    private func describe(_ built: MP4TablePackets, _ format: AudioStreamBasicDescription, _ core: StreamCore)
    {
        let index = built.index
        core.facts.dataOffset = index.byteRange?.lowerBound
        core.facts.dataByteCount = index.audioBytes
        core.facts.packetCount = index.count
        core.facts.packetTable = trims()?.packetTable(
            of: format, packets: index.count, claimedPackets: built.claimedPackets)
        core.facts.maximumPacketSize = index.largestPacketBytes
        core.facts.packetSizeUpperBound = max(index.largestPacketBytes, 1)
        guard index.count > 0 else { return }
        core.facts.declaredBytesPerPacket = Double(index.audioBytes) / Double(index.count)
    }

    private func beginFragments(
        _ built: MP4TablePackets, _ format: AudioStreamBasicDescription, _ core: StreamCore
    ) {
        // ALAC has the largest packets, which are not larger than their PCM.
        let room = Int(format.mChannelsPerFrame) * max(Int(format.mFramesPerPacket) * 4, 2048) + 64
        core.facts.packetSizeUpperBound = max(
            built.index.largestPacketBytes, format.mBytesPerPacket > 0 ? Int(format.mBytesPerPacket) : room)
        // The priming is the same for any sufficiently large number of packets.
        core.facts.declaredPrimingFrames =
            trims()?.packetTable(of: format, packets: 1 << 32, claimedPackets: 1 << 32).primingFrames
        core.tableAtEnd = { [unowned self] packets in
            trims(duration: fragmentedDuration)?.packetTable(
                of: format, packets: packets, claimedPackets: packets)
        }
    }

    private func trims(duration: Int64? = nil) -> MP4Trims? {
        guard let (track, movie) = track else { return nil }
        return MP4Trims(
            edits: track.edits, gapless: movie.metadata.gapless, movieTimescale: movie.timescale,
            timescale: track.timescale, mediaDuration: duration ?? track.tables.totalDuration)
    }

    /// Replaces the previous packets, which were passed on, with those of a fragment.
    private func take(fragment moof: MP4Bytes, fileOffset: Int64, _ core: StreamCore) {
        guard let (track, movie) = track, movie.isFragmented else { return }
        let fragment = MP4Fragment(
            moof, fileOffset: fileOffset, track: track.identifier, defaults: movie.fragmentDefaults)
        var index = PacketIndex(
            packetBytes: Int(track.coding.format.mBytesPerPacket),
            emptyPackets: packets.positions.index.emptyPackets)
        if let fault = index.append(fragment, fileBytes: nil) { core.facts.warnings.append(fault) }
        for run in fragment.runs {
            let (sum, overflow) = fragmentedDuration.addingReportingOverflow(run.totalDuration)
            fragmentedDuration = overflow ? .max : sum
        }
        packets.resume(atPacket: core.facts.deliveredPackets, positions: IndexPositions(index: index))
        core.firstUncertainPacket = max(
            core.facts.deliveredPackets + index.count - Self.uncertainPackets, 0)
    }

    /// The number of packets at the end of the last fragment that may contain frames to trim: an encoder's delay and
    /// the padding of the last packet.
    private static let uncertainPackets: Int64 = 3

    func position(ofPacket packet: Int64, _ core: StreamCore) -> StreamPosition? {
        guard track?.movie.isFragmented == false, packet < packets.positions.index.count else { return nil }
        return StreamPosition(
            byteOffset: packets.positions.index.byteOffset(of: packet) - (core.facts.dataOffset ?? 0),
            isEstimated: false)
    }

    func resume(atPacket packet: Int64, _ position: StreamPosition, _ core: StreamCore) {
        packets.resume(
            atPacket: packet, positions: IndexPositions(index: packets.positions.index, packet: packet))
        state = .audio
    }

    /// Returns false, because only tables locate the packets.
    func resumeAfterGap(_ core: StreamCore) -> Bool { false }
}
