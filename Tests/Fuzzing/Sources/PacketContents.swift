// SPDX-License-Identifier: MIT

import AQFiles
import CoreAudioTypes

/// The packets of a file from the first on.
struct PacketContents {
    private(set) var packets = 0
    /// False if the file was too large to read completely.
    private(set) var isWhole = true
    private(set) var failure: AudioFileError?
    /// False for formats that a library decodes, whose damaged data may decode differently each time.
    let isExact: Bool

    private var bytes: [UInt8] = []
    /// The start of each packet, and the end of the last; empty for packets of one size.
    private var places = [0]
    private let packetBytes: Int

    init(of audio: AudioFile) {
        isExact =
            audio.containerName == "CAF" || audio.containerName == "MPEG audio"
            || !audio.magicCookie.isEmpty
        packetBytes = Int(audio.format.mBytesPerPacket)
        var batch = PacketBatch(for: audio)
        do throws(AudioFileError) {
            while true {
                let read = try batch.read(from: Int64(packets), of: audio)
                guard read.packets > 0 else { break }
                packets += read.packets
                bytes += batch.bytes
                if packetBytes == 0 {
                    let start = places[places.count - 1]
                    places += batch.ends.map { start + $0 }
                }
                guard bytes.count < Self.mostBytes, packets < Self.mostPackets else {
                    isWhole = false
                    break
                }
            }
        } catch { failure = error }
    }

    func bytes(ofPacket packet: Int) -> ArraySlice<UInt8> {
        packetBytes > 0
            ? bytes[packet * packetBytes..<(packet + 1) * packetBytes]
            : bytes[places[packet]..<places[packet + 1]]
    }

    private static let mostBytes = 1 << 17
    private static let mostPackets = 1 << 15
}

/// The result of one read, checked against the interface.
struct PacketBatch {
    private(set) var bytes: [UInt8] = []
    /// Where each described packet ends.
    private(set) var ends: [Int] = []
    /// Bytes of the first packet.
    private(set) var firstBytes = 0

    private var room: [UInt8]
    private var descriptions = [AudioStreamPacketDescription](repeating: .init(), count: 64)

    /// Makes room for at least one packet of a file.
    init(for audio: AudioFile) {
        room = [UInt8](repeating: 0, count: max(audio.packetSizeUpperBound, 4096))
    }

    /// Reads as much as fits.
    mutating func read(from packet: Int64, of audio: AudioFile) throws(AudioFileError) -> PacketRead {
        let packetBytes = Int(audio.format.mBytesPerPacket)
        let read = try Self.read(audio, packet, &room, &descriptions)
        require(0...room.count ~= read.bytes && read.packets >= 0, "what was read is in the room: \(read)")
        bytes = Array(room[..<read.bytes])
        ends = []
        guard packetBytes == 0 else {
            require(read.bytes == read.packets * packetBytes, "packets have their size: \(read)")
            firstBytes = min(packetBytes, read.bytes)
            return read
        }
        require(read.packets <= descriptions.count, "there is a description for each packet: \(read)")
        var end = 0
        for description in descriptions[..<read.packets] {
            require(
                description.mStartOffset == end && description.mDataByteSize <= audio.packetSizeUpperBound,
                "packets lie one behind another, and within bounds: \(description)")
            end += Int(description.mDataByteSize)
            require(end <= read.bytes, "packets lie in what was read: \(description), \(read)")
            ends.append(end)
        }
        firstBytes = ends.first ?? 0
        return read
    }

    private static func read(
        _ audio: AudioFile, _ packet: Int64, _ room: inout [UInt8],
        _ descriptions: inout [AudioStreamPacketDescription]
    ) throws(AudioFileError) -> PacketRead {
        var result = Result<PacketRead, AudioFileError>.success(PacketRead(packets: 0, bytes: 0))
        unsafe room.withUnsafeMutableBytes { bytes in
            unsafe descriptions.withUnsafeMutableBufferPointer { descriptions in
                do throws(AudioFileError) {
                    result = .success(
                        try unsafe audio.readPackets(from: packet, into: bytes, descriptions: descriptions))
                } catch { result = .failure(error) }
            }
        }
        return try result.get()
    }
}
