// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// A reader of Core Audio Format: linear PCM and G.711 by frame, all other formats by the file's packets.
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
    /// Whether a read found that the audio ends too early.
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
            if part > 0 { warnings.append("the last \(part) bytes of the audio are not a whole packet") }
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
        let (read, isCut) = try unsafe file.read(
            positions(from: packet), isDescribed: header.index != nil, into: bytes, descriptions: descriptions
        )
        if isCut, !isShort {
            isShort = true
            warnings.append("the audio ends at packet \(packet + Int64(read.packets)) of \(packetCount)")
        }
        return read
    }

    private func positions(from packet: Int64) -> any PacketPositions {
        if let index = header.index {
            return CAFPositions(index: index, dataStart: dataStart, isTimed: format.mFramesPerPacket == 0)
                .moved(to: packet)
        }
        var index = PacketIndex(packetBytes: Int(format.mBytesPerPacket))
        index.append(byteOffset: dataStart, packets: packetCount)
        return IndexPositions(index: index, packet: packet)
    }

    private static func totalFrames(
        _ format: AudioStreamBasicDescription, index: CAFPacketIndex?, dataBytes: Int64
    ) -> Int64 {
        if let index { return index.end.frame }
        let (frames, overflow) = (dataBytes / Int64(format.mBytesPerPacket))
            .multipliedReportingOverflow(by: Int64(format.mFramesPerPacket))
        return overflow ? .max : frames
    }
}

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
