// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// A reader of packets from a pipe with the stream parser.
///
/// The reader keeps one batch of packets, and parses further only after it is used up. Packets that may end after the
/// audio are held back until its end is known, so that the packet table is final before they are returned.
final class StreamFileReader: PacketReader {
    let format: AudioStreamBasicDescription
    let isSeekable = false

    private let file: OpenFile
    private let core: StreamCore
    private var pending: PendingPackets
    /// The numbers of the next packet and of its first frame.
    private var nextPacket: Int64 = 0
    private var nextFrame: Int64 = 0
    private var block = [UInt8](repeating: 0, count: StreamFileReader.blockBytes)
    var leastFramesPerRead: Int64 = .max

    /// Reads the header.
    ///
    /// - Parameters:
    ///   - spool: The bytes already read from the pipe. The bytes up to the first packet are added, so that other
    ///     readers can be tried after a failure.
    ///   - typeHint: The type hint of ``AudioFileStream``.
    ///   - isEndNeeded: Whether the packet table must be final from the start.
    ///   - isOther: Called with more bytes in `spool` while the type is unknown; returns true if another reader can
    ///     read the pipe, which ends the search with `unrecognised`.
    /// - Throws: `unrecognised`, `unsupported`, `damaged`, `unreadable`; `notSeekable` if the data can only be read
    ///   from a file.
    init(
        file: OpenFile, spool: PipeSpool, typeHint: AudioFileType? = nil, isEndNeeded: Bool = false,
        isOther: () -> Bool = { false }
    ) throws(AudioFileError) {
        let core = StreamCore(typeHint: typeHint)
        try Self.readHeader(file, spool, core, isOther)
        guard let format = core.facts.format else { throw AudioFileError(.damaged, "it has no format") }
        guard !core.facts.mayHaveTableBehind, !isEndNeeded || core.firstUncertainPacket == nil else {
            throw AudioFileError(.notSeekable, "its packet table is complete only at the end of the stream")
        }
        self.file = file
        self.core = core
        self.format = format
        pending = PendingPackets(packetBytes: Int(format.mBytesPerPacket))
        // The core belongs to this reader, and calls back only within the reader's own steps.
        unsafe core.packetsFound = { [unowned self] bytes, _, descriptions in
            unsafe pending.append(bytes, descriptions)
        }
    }

    private static func readHeader(
        _ file: OpenFile, _ spool: PipeSpool, _ core: StreamCore, _ isOther: () -> Bool
    ) throws(AudioFileError) {
        append(spool.head, to: core)
        var block = [UInt8](repeating: 0, count: blockBytes)
        while !core.facts.isReady {
            if try core.advance() { continue }
            guard !core.isAtEnd else { throw AudioFileError(.damaged, "it ends inside its header") }
            if core.facts.fileType == nil, isOther() {
                throw AudioFileError(.unrecognised, "it is of another type")
            }
            let got = try file.readSome(into: &block)
            guard got > 0 else {
                core.finish()
                continue
            }
            spool.append(block[..<got])
            append(block[..<got], to: core)
        }
    }

    private static func append(_ bytes: some Collection<UInt8>, to core: StreamCore) {
        bytes.withContiguousStorageIfAvailable { unsafe core.append(UnsafeRawBufferPointer($0)) }
    }

    var containerName: String {
        switch core.facts.fileType {
        case .mp3: "MPEG audio"
        case .adts: "AAC in an ADTS stream"
        case let type: core.containerName ?? type?.name ?? "audio"
        }
    }

    var channelLabels: [AudioChannelLabel] { core.facts.channelLabels }
    var packetTable: PacketTable? { core.facts.packetTable }
    var primingFrames: Int64 { core.facts.primingFrames }
    var packetSizeUpperBound: Int { core.facts.packetSizeUpperBound ?? Int(format.mBytesPerPacket) }
    var averageBitRate: Double { core.facts.bitRate ?? 0 }
    var magicCookie: [UInt8] { core.facts.magicCookie }
    var information: [AudioFileInformation] { core.facts.information }
    var artwork: AudioFileArtwork? { core.facts.artwork }
    var warnings: WarningList { core.facts.warnings }

    var dataRange: Range<Int64>? {
        guard let start = core.facts.dataOffset, let bytes = core.facts.dataByteCount else { return nil }
        let (end, overflow) = start.addingReportingOverflow(bytes)
        return overflow ? nil : start..<end
    }

    func countPackets() throws(AudioFileError) -> Int64 {
        guard let packets = core.facts.packetCount else {
            throw AudioFileError(.notSeekable, "a pipe without a length cannot be read twice")
        }
        return packets
    }

    func seekPoint(forFrame frame: Int64) throws(AudioFileError) -> SeekPoint {
        let target = try decodedFrame(frame, in: packetTable)
        guard target >= nextFrame else { throw AudioFileError(.notSeekable, "it can only be read forwards") }
        // PCM frames do not depend on earlier frames; all other formats get every packet.
        return format.mFramesPerPacket == 1
            ? SeekPoint(packet: target, framesToDiscard: 0)
            : SeekPoint(packet: nextPacket, framesToDiscard: target - nextFrame)
    }

    func readPackets(
        from packet: Int64, into bytes: UnsafeMutableRawBufferPointer,
        descriptions: UnsafeMutableBufferPointer<AudioStreamPacketDescription>
    ) throws(AudioFileError) -> PacketRead {
        guard packet >= nextPacket else {
            throw AudioFileError(
                .notSeekable, "packet \(packet) has passed, and it can only be read forwards")
        }
        let isDescribed = format.mBytesPerPacket == 0
        guard !isDescribed || descriptions.count > 0 else {
            throw AudioFileError(.bufferTooSmall, "there is no room for packet descriptions")
        }
        var read = PacketRead(packets: 0, bytes: 0)
        guard try skip(to: packet) else { return read }
        let firstFrame = nextFrame
        while !isDescribed || read.packets < descriptions.count {
            let mayWait = read.packets == 0 || nextFrame - firstFrame < leastFramesPerRead
            do throws(AudioFileError) {
                guard try fillPending(mayWait: mayWait) else { break }
            } catch {
                // The packets before the failure are returned, and the next call fails in the same way.
                if read.packets > 0 { break }
                throw error
            }
            guard let first = pending.first else { break }
            let room = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[read.bytes...])
            guard first.bytes <= room.count else {
                if read.packets > 0 { break }
                throw AudioFileError(
                    .bufferTooSmall, "a packet of \(first.bytes) bytes does not fit \(room.count)")
            }
            let packets: Int
            if isDescribed {
                unsafe descriptions[read.packets] = AudioStreamPacketDescription(
                    mStartOffset: Int64(read.bytes), mVariableFramesInPacket: first.frames,
                    mDataByteSize: UInt32(first.bytes))
                unsafe pending.takeFirst(into: room)
                packets = 1
            } else {
                let certain = min(certainPackets, room.count / first.bytes)
                packets = unsafe pending.takeAlike(
                    into: UnsafeMutableRawBufferPointer(rebasing: room[..<(certain * first.bytes)]))
            }
            pass(packets, frames: first.frames)
            read.packets += packets
            read.bytes += packets * first.bytes
        }
        return read
    }

    var isReadable: Bool? {
        do throws(AudioFileError) {
            return try fillPending(mayWait: false) || isAtEnd
        } catch {
            // The next read fails in the same way.
            return true
        }
    }

    private func pass(_ packets: Int, frames: UInt32) {
        nextPacket += Int64(packets)
        nextFrame += Int64(packets) * Int64(format.mFramesPerPacket == 0 ? frames : format.mFramesPerPacket)
    }

    /// Drops packets before the given one; returns false if the stream ends first.
    private func skip(to packet: Int64) throws(AudioFileError) -> Bool {
        while nextPacket < packet {
            guard try fillPending(), let first = pending.first else { return false }
            let isAlike = format.mFramesPerPacket != 0
            let packets = isAlike ? Int(min(Int64(certainPackets), packet - nextPacket)) : 1
            pending.drop(packets)
            pass(packets, frames: first.frames)
        }
        return true
    }

    /// The number of available packets that can be returned. Packets that may end after the audio are excluded until
    /// its end is known.
    private var certainPackets: Int {
        guard !isAtEnd, let uncertain = core.firstUncertainPacket else { return pending.count }
        return min(pending.count, Int(clamping: max(uncertain - nextPacket, 0)))
    }

    /// Makes a packet available; returns false at the end, or if that would require a wait.
    private func fillPending(mayWait: Bool = true) throws(AudioFileError) -> Bool {
        while certainPackets == 0 {
            do throws(AudioFileError) {
                if !isAtEnd, try core.advance() { continue }
            } catch {
                // Packets were valid until here; without any, the header is damaged.
                if core.facts.deliveredPackets == 0 { throw error }
                core.facts.warnings.append(error.message)
                isAtEnd = true
                continue
            }
            guard certainPackets == 0 else { break }
            if isAtEnd { return false }
            if core.isAtEnd {
                isAtEnd = true
                continue
            }
            guard mayWait || file.wait(milliseconds: 0) else { return false }
            let got = try file.readSome(into: &block)
            if got == 0 { core.finish() }
            Self.append(block[..<got], to: core)
        }
        return true
    }

    /// Whether the parser has no more packets.
    private var isAtEnd = false

    private static let blockBytes = 16 << 10
}
