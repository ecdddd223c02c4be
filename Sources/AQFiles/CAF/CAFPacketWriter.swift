// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// A writer of packets that vary in size or frames to Core Audio Format.
///
/// After every append, the file counts all its packets; see ``CAFGrowingFile``.
final class CAFPacketWriter: PacketWriter {
    private let format: AudioStreamBasicDescription
    let file: OutputFile
    private let growing: CAFGrowingFile
    private var header: CAFFileHeader
    /// The packet table set by the caller, perhaps before all packets were appended.
    private var packetTable: PacketTable?
    /// The number of frames of the counted packets, including priming and remainder.
    private var totalFrames: Int64 = 0

    /// Creates a file for packets of any format except linear PCM.
    static func make(_ order: FileOrder) throws(AudioFileError) -> any PacketWriter {
        let format = order.format
        guard FourCharacterCode(rawValue: format.mFormatID).isPrintable else {
            throw AudioFileError(.unsupported, "CAF cannot hold packets of \(format.summary)")
        }
        guard format.needsPacketTable else {
            let container = try CAFContainer(format, channelLabels: order.channelLabels)
            return try order.createFile { (file) throws(AudioFileError) in
                try PCMFileWriter(
                    container, to: file, frameBytes: Int(format.mBytesPerPacket),
                    framesPerPacket: Int64(format.mFramesPerPacket))
            }
        }
        return try order.createFile { (file) throws(AudioFileError) in
            guard file.isSeekable else {
                throw AudioFileError(
                    .unsupported,
                    "a CAF of packets that differ in size needs a file, since their table follows them")
            }
            return try CAFPacketWriter(order, to: file)
        }
    }

    private init(_ order: FileOrder, to file: OutputFile) throws(AudioFileError) {
        format = order.format
        header = CAFFileHeader(format, channelLabels: order.channelLabels)
        if let packets = order.packetsToHaveRoomFor {
            header.tableRoomBytes = Int(packets) * CAFPacketBatch.usualEntryBytes(of: format)
        }
        self.file = file
        growing = CAFGrowingFile(file)
        try growing.begin(with: try header.laidOut())
    }

    var frameCount: Int64 { growing.frames.validFrames }

    var byteCount: Int64 { growing.byteCount }

    var isEmpty: Bool { growing.packets == 0 }

    func append(
        _ bytes: UnsafeRawBufferPointer,
        packetDescriptions: UnsafeBufferPointer<AudioStreamPacketDescription>?
    ) throws(AudioFileError) {
        guard let descriptions = unsafe packetDescriptions else {
            guard bytes.count == 0 else {
                throw AudioFileError(.unsupported, "packets that differ in size need packet descriptions")
            }
            return
        }
        let batch = try unsafe CAFPacketBatch(descriptions, of: format, in: bytes.count)
        guard batch.count > 0 else { return }
        do throws(AudioFileError) {
            try growing.makeRoom(
                audioBytes: batch.bytes, entryBytes: batch.entries.count, packets: batch.count)
            if batch.runs.count == 1, let run = batch.runs.first {
                try unsafe growing.appendAudio(UnsafeRawBufferPointer(rebasing: bytes[run]))
            } else {
                let audio = unsafe batch.runs.flatMap { unsafe bytes[$0] }
                try unsafe audio.withUnsafeBufferPointer { audio throws(AudioFileError) in
                    try unsafe growing.appendAudio(UnsafeRawBufferPointer(audio))
                }
            }
            try count(batch, packets: batch.count)
        } catch {
            // The packets that were completely written are counted. If counting fails too, the table keeps its previous
            // count, and all packets that it counts are present.
            try? count(batch, packets: batch.packets(within: growing.uncountedBytes))
            throw error
        }
    }

    func set(_ setting: FileSetting) throws(AudioFileError) {
        try checkIsEmpty(before: setting)
        try growing.begin(with: header.set(setting))
        try growing.setFrames(frames(of: 0))
    }

    func setPacketTable(_ table: PacketTable) throws(AudioFileError) {
        try table.checkFitsCAF()
        packetTable = table
        try growing.setFrames(frames(of: totalFrames))
    }

    func complete(hasFailed: Bool) throws(AudioFileError) {
        do throws(AudioFileError) {
            try growing.tidy()
        } catch {
            // The file is complete, only longer than necessary.
            guard error.isForWantOfSpace else { throw error }
            try? growing.cutOffSpare()
        }
    }

    private func count(_ batch: CAFPacketBatch, packets: Int) throws(AudioFileError) {
        guard packets > 0 else { return }
        let end = batch.ends[packets - 1]
        try growing.count(
            packets: packets, bytes: end.bytes, entries: batch.entries[..<end.entryBytes],
            frames: frames(of: totalFrames + end.frames))
        totalFrames += end.frames
    }

    private func frames(of total: Int64) -> PacketTable {
        packetTable?.fitted(to: total)
            ?? PacketTable(primingFrames: 0, validFrames: total, remainderFrames: 0)
    }
}
