import CoreAudioTypes

/// Reads Core Audio Format: linear PCM and G.711 by frame, everything else by the file's packets.
///
/// Nothing is decoded: packets, cookie and packet table are returned as stored.
final class CAFFileReader: PacketReader {
    let format: AudioStreamBasicDescription
    let chunks: [AudioFileChunk]
    let packetTable: PacketTable?
    private(set) var warnings = WarningList()

    private let file: OpenFile
    private let header: CAFHeader
    private let dataStart: Int64
    private let dataBytes: Int64
    /// Whether the audio ended too early.
    private var isShort = false

    /// - Parameter file: A regular file.
    init(file: OpenFile) throws(AudioFileError) {
        self.file = file
        let scan = try CAFFileScan(file)
        guard let description = scan.header.description, let dataStart = scan.dataStart else {
            throw AudioFileError(.damaged, "it has no audio")
        }
        format = description.format
        header = scan.header
        chunks = scan.chunks
        self.dataStart = dataStart
        dataBytes = scan.dataBytes
        for fault in header.faults { warnings.append(fault) }
        let totalFrames = Self.totalFrames(format, index: header.index, dataBytes: dataBytes)
        if let table = header.packetTable {
            let (frames, fault) = table.resolved(total: totalFrames)
            packetTable = frames
            if let fault { warnings.append(fault) }
        } else {
            packetTable = PacketTable(primingFrames: 0, validFrames: totalFrames, remainderFrames: 0)
        }
        if !format.needsPacketTable {
            let part = dataBytes % Int64(format.mBytesPerPacket)
            if part > 0 { warnings.append("the last \(part) bytes of the audio are no whole packet") }
        }
    }

    var containerName: String { "CAF" }

    var isSeekable: Bool { true }

    var channelLabels: [AudioChannelLabel] {
        header.channelLabels ?? ChannelLabels.defaults(channels: Int(format.mChannelsPerFrame))
    }

    var magicCookie: [UInt8] { header.magicCookie }

    var dataRange: Range<Int64>? { dataStart..<dataStart + dataBytes }

    var information: [AudioFileInformation] { header.information }

    var markers: [AudioFileMarker] { header.markers }

    var regions: [AudioFileRegion] { header.regions }

    var packetSizeUpperBound: Int { header.index.map { Int($0.largestBytes) } ?? Int(format.mBytesPerPacket) }

    var averageBitRate: Double {
        if let index = header.index {
            guard index.end.frame > 0 else { return 0 }
            return Double(index.end.byteOffset) * 8 * format.mSampleRate / Double(index.end.frame)
        }
        return Double(format.mBytesPerPacket) * 8 * format.mSampleRate / Double(format.mFramesPerPacket)
    }

    func countPackets() throws(AudioFileError) -> Int64 {
        packetCount
    }

    private var packetCount: Int64 {
        header.index.map { Int64($0.count) } ?? dataBytes / Int64(format.mBytesPerPacket)
    }

    func byteOffset(ofPacket packet: Int64) throws(AudioFileError) -> Int64? {
        guard 0..<packetCount ~= packet else { return nil }
        guard let index = header.index else { return dataStart + packet * Int64(format.mBytesPerPacket) }
        return dataStart + index.position(of: Int(packet)).byteOffset
    }

    func readPackets(
        from packet: Int64, into bytes: UnsafeMutableRawBufferPointer,
        descriptions: UnsafeMutableBufferPointer<AudioStreamPacketDescription>
    ) throws(AudioFileError) -> PacketRead {
        let wanted: (packets: Int, bytes: Int, byteOffset: Int64)
        if let index = header.index {
            guard packet < index.count else { return PacketRead(packets: 0, bytes: 0) }
            let position = index.position(of: Int(packet))
            let fitting = try unsafe describe(
                index, from: Int(packet), at: position, roomBytes: bytes.count, in: descriptions)
            wanted = (fitting.packets, fitting.bytes, position.byteOffset)
        } else {
            let packetBytes = Int(format.mBytesPerPacket)
            guard bytes.count >= packetBytes else {
                throw AudioFileError(
                    .bufferTooSmall, "a packet of \(packetBytes) bytes does not fit \(bytes.count)")
            }
            let left = max(packetCount - packet, 0)
            let packets = Int(min(Int64(bytes.count / packetBytes), left))
            let (byteOffset, overflow) = packet.multipliedReportingOverflow(by: Int64(packetBytes))
            guard packets > 0, !overflow else { return PacketRead(packets: 0, bytes: 0) }
            wanted = (packets, packets * packetBytes, byteOffset)
        }
        let got = try unsafe read(
            at: wanted.byteOffset, into: UnsafeMutableRawBufferPointer(rebasing: bytes[..<wanted.bytes]))
        return got == wanted.bytes
            ? PacketRead(packets: wanted.packets, bytes: got) : shortRead(got, from: packet)
    }

    private func read(
        at byteOffset: Int64, into bytes: UnsafeMutableRawBufferPointer
    ) throws(AudioFileError) -> Int {
        let (offset, overflow) = dataStart.addingReportingOverflow(byteOffset)
        return overflow ? 0 : try unsafe file.fill(bytes, from: offset)
    }

    /// Counts the whole packets of a read that reached an early end.
    private func shortRead(_ bytes: Int, from packet: Int64) -> PacketRead {
        var read = PacketRead(packets: 0, bytes: 0)
        if let index = header.index {
            var position = index.position(of: Int(packet))
            while let found = index.packet(at: position), read.bytes + Int(found.bytes) <= bytes {
                read.packets += 1
                read.bytes += Int(found.bytes)
                position = found.next
            }
        } else {
            read.packets = bytes / Int(format.mBytesPerPacket)
            read.bytes = read.packets * Int(format.mBytesPerPacket)
        }
        defer { isShort = true }
        if !isShort {
            warnings.append(
                "the audio ends at packet \(packet + Int64(read.packets)) of \(packetCount)")
        }
        return read
    }

    /// Describes as many packets as are present, described in the table, and fit.
    private func describe(
        _ index: CAFPacketIndex, from first: Int, at start: CAFPacketIndex.Position, roomBytes: Int,
        in descriptions: UnsafeMutableBufferPointer<AudioStreamPacketDescription>
    ) throws(AudioFileError) -> PacketRead {
        guard descriptions.count > 0 else {
            throw AudioFileError(.bufferTooSmall, "there is no room for packet descriptions")
        }
        var described = PacketRead(packets: 0, bytes: 0)
        var position = start
        while described.packets < min(descriptions.count, index.count - first),
            let packet = index.packet(at: position)
        {
            guard Int(packet.bytes) <= roomBytes - described.bytes else {
                if described.packets > 0 { break }
                throw AudioFileError(
                    .bufferTooSmall, "a packet of \(packet.bytes) bytes does not fit \(roomBytes)")
            }
            unsafe descriptions[described.packets] = AudioStreamPacketDescription(
                mStartOffset: Int64(described.bytes),
                mVariableFramesInPacket: format.mFramesPerPacket == 0 ? UInt32(packet.frames) : 0,
                mDataByteSize: UInt32(packet.bytes))
            described.packets += 1
            described.bytes += Int(packet.bytes)
            position = packet.next
        }
        return described
    }

    /// The frames of all packets.
    private static func totalFrames(
        _ format: AudioStreamBasicDescription, index: CAFPacketIndex?, dataBytes: Int64
    ) -> Int64 {
        if let index { return index.end.frame }
        let (frames, overflow) = (dataBytes / Int64(format.mBytesPerPacket))
            .multipliedReportingOverflow(by: Int64(format.mFramesPerPacket))
        return overflow ? .max : frames
    }
}

/// Times and offsets.
extension CAFFileReader {
    func seekPoint(forFrame frame: Int64) throws(AudioFileError) -> SeekPoint {
        let target = try decodedFrame(frame, in: packetTable)
        let packet =
            header.index.map { Int64($0.packet(atFrame: target).packet) }
            ?? target / Int64(format.mFramesPerPacket)
        let first = Preroll.firstPacket(for: packet, of: format) { earlier in
            guard let index = header.index else { return Int(format.mBytesPerPacket) }
            return Int(index.packet(at: index.position(of: Int(earlier)))?.bytes ?? 0)
        }
        let start =
            header.index.map { $0.position(of: Int(first)).frame } ?? first * Int64(format.mFramesPerPacket)
        return SeekPoint(packet: first, framesToDiscard: target - start)
    }
}
