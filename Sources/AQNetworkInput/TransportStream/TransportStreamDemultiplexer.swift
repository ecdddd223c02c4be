// SPDX-License-Identifier: MIT

/// Extracts the first audio stream of an MPEG transport stream.
///
/// The first program counts, and in it the first stream of audio that is supported. Later tables may move the stream to
/// another identifier, but not change its type: a new demultiplexer is needed after a discontinuity of the playlist.
package struct TransportStreamDemultiplexer {
    /// The type of the audio; once it is supported, it does not change.
    package private(set) var audio = TransportStreamAudio.undetermined
    /// The number of bytes that are not in a packet.
    package private(set) var skippedBytes: Int64 = 0
    /// The number of gaps in the audio: places where packets are missing, are damaged, or are encrypted.
    package private(set) var gaps = 0
    /// The number of PES packets of audio that were dropped, because a part of them is missing or invalid.
    package var droppedPackets: Int { assembler.droppedPackets }
    /// The number of bytes that are held for the next call, at most about 260,000.
    package var heldBytes: Int {
        pending.count + programs.heldBytes + streams.heldBytes + assembler.heldBytes
    }

    /// The beginning of the next packet.
    private var pending: [UInt8] = []
    private var isSynchronised = false
    private var programs = TransportStreamSections()
    private var streams = TransportStreamSections()
    private var program: TransportStreamTables.Program?
    private var audioIdentifier: Int?
    private var continuity = TransportStreamContinuity()
    private var assembler = PESAssembler()

    private static let nullIdentifier = 0x1FFF

    package init() {}

    /// Reads the next bytes, of any number, and appends the elementary stream to `output`.
    package mutating func read(_ bytes: ArraySlice<UInt8>, into output: inout [UInt8]) {
        pending += bytes
        readPackets(isAtEnd: false, into: &output)
    }

    /// Ends a segment: appends what is held. The next segment may begin with any counters, and uses the tables of this
    /// one until it has its own.
    package mutating func endSegment(into output: inout [UInt8]) {
        readPackets(isAtEnd: true, into: &output)
        skippedBytes += Int64(pending.count)
        pending = []
        isSynchronised = false
        assembler.finish(into: &output)
        continuity.reset()
        programs.resetContinuity()
        streams.resetContinuity()
    }

    private mutating func readPackets(isAtEnd: Bool, into output: inout [UInt8]) {
        var rest = pending[...]
        let packetBytes = TransportStreamPacket.byteCount
        while rest.count >= packetBytes {
            if rest.first == TransportStreamPacket.syncByte {
                // The first packet after other bytes is confirmed by the sync byte of the next one.
                guard isSynchronised || isAtEnd || rest.count > packetBytes else { break }
                if isSynchronised || rest.count == packetBytes
                    || rest[rest.startIndex + packetBytes] == TransportStreamPacket.syncByte
                {
                    isSynchronised = true
                    process(rest.prefix(packetBytes), into: &output)
                    rest = rest.dropFirst(packetBytes)
                    continue
                }
            }
            isSynchronised = false
            let next = rest.dropFirst().firstIndex(of: TransportStreamPacket.syncByte) ?? rest.endIndex
            skippedBytes += Int64(next - rest.startIndex)
            rest = rest[next...]
        }
        pending = Array(rest)
    }

    private mutating func process(_ bytes: ArraySlice<UInt8>, into output: inout [UInt8]) {
        // A damaged packet is missing in the order of its stream.
        guard let packet = TransportStreamPacket(bytes), packet.identifier != Self.nullIdentifier else {
            return
        }
        if packet.identifier == 0 {
            for section in programs.read(packet) {
                if let named = TransportStreamTables.program(in: section) { use(named) }
            }
        } else if let program, packet.identifier == program.tableIdentifier {
            for section in streams.read(packet) {
                if let listed = TransportStreamTables.streams(in: section, program: program.number) {
                    use(listed)
                }
            }
        } else if packet.identifier == audioIdentifier {
            readAudio(packet, into: &output)
        }
    }

    private mutating func readAudio(_ packet: TransportStreamPacket, into output: inout [UInt8]) {
        switch continuity.check(packet) {
        case .duplicate: return
        case .afterLoss:
            gaps += 1
            assembler.drop()
        case .next: break
        }
        guard let payload = packet.payload else { return }
        guard !packet.isScrambled else {
            gaps += 1
            return assembler.drop()
        }
        if packet.beginsUnit { assembler.begin(into: &output) }
        assembler.append(payload, into: &output)
    }

    private mutating func use(_ named: TransportStreamTables.Program) {
        guard named != program else { return }
        program = named
        streams.reset()
    }

    private mutating func use(_ listed: [TransportStreamTables.Stream]) {
        let chosen = listed.first { stream in
            let type = TransportStreamAudio(type: stream.type)
            return audio.isSupported ? type == audio : type.isSupported
        }
        if let chosen {
            audio = TransportStreamAudio(type: chosen.type)
        } else if !audio.isSupported {
            let other = listed.first { TransportStreamAudio.names[$0.type] != nil || $0.isPrivateAudio }
            audio = other.map { .unsupported(type: $0.type) } ?? .none
        }
        guard chosen?.identifier != audioIdentifier else { return }
        audioIdentifier = chosen?.identifier
        continuity.reset()
        assembler.drop()
    }
}
