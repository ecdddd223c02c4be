// SPDX-License-Identifier: MIT

import AQCodecs
import AQFiles
import CoreAudioTypes
import AQToolSupport

/// One file of a recording, which takes frames of PCM and encodes them.
///
/// Each file has its own encoder, from the file's first frame to its last, so that the file contains exactly these
/// frames. The queue could also encode, but three reasons are against it: the end of a file (a signal, a size, silence)
/// is known only after the frames have arrived, lost frames become silence, and levels are measured on samples.
final class RecordingFile {
    private let writer: AudioFileWriter
    private let encoder: (any PacketEncoder)?
    /// Packets between the encoder and the writer, with their descriptions.
    private var packets: [UInt8] = []
    private var descriptions: [AudioStreamPacketDescription] = []
    private let packetBytes: Int
    private var frames: Int64 = 0
    /// The error that ended the encoding.
    private var failure: AudioFileError?
    /// Forces the file to the disk; nil if that is not requested.
    private let disk: FileOnDisk?
    private let syncFrames: Int64
    private var unsyncedFrames: Int64 = 0
    private let bytesPerFrame: Int

    private static let mostPackets = 64
    private static let leastBytes = 1 << 16

    /// Creates the file, with the cookie and the priming of its encoder.
    init(path: FilePath, _ plan: FileSequence.Plan) throws(AudioFileError) {
        let options: AudioFileWriter.Options = plan.overwrites ? .overwrite : []
        bytesPerFrame = max(1, Int(plan.format.mBytesPerFrame))
        syncFrames = plan.syncFrames ?? .max
        guard let encoding = plan.encoding else {
            writer = try AudioFileWriter.create(
                path: path, type: plan.target.type, format: plan.format, options: options,
                bitRate: plan.bitRate)
            (encoder, packetBytes) = (nil, 0)
            disk = try Self.disk(path, plan)
            return
        }
        let encoder: any PacketEncoder
        do throws(CodecError) {
            encoder = try encoding.makeEncoder()
        } catch {
            throw AudioFileError(.unsupported, "cannot record \(FileReport.name(path)): \(error.message)")
        }
        self.encoder = encoder
        let format = encoder.outputFormat
        packetBytes = format.hasConstantPacketSize ? Int(format.mBytesPerPacket) : 0
        writer = try AudioFileWriter.create(
            path: path, type: plan.target.type, format: format, options: options)
        disk = try Self.disk(path, plan)
        let roomBytes = max(
            RecordingFile.leastBytes, RecordingFile.mostPackets * max(1, encoder.maximumPacketSize))
        packets = Array(repeating: 0, count: roomBytes)
        if !encoder.magicCookie.isEmpty { try writer.setMagicCookie(encoder.magicCookie) }
        // Set early, so that a file that is never closed is correct up to its last packet.
        if encoder.primingFrames > 0 {
            try setPacketTable(
                PacketTable(
                    primingFrames: Int64(encoder.primingFrames), validFrames: 0, remainderFrames: 0))
        }
    }

    /// The format of the packets, or of the samples.
    var format: AudioStreamBasicDescription { writer.format }
    var byteCount: Int64 { writer.byteCount }

    /// The largest number of frames that can be appended; nil for no limit.
    var maximumFrameCount: Int64? {
        // The encoder's priming and remainder are in the file too.
        writer.maximumFrameCount.map { max(1, $0 - Int64(encoder.map { $0.primingFrames + 65_536 } ?? 0)) }
    }

    /// The number of appended frames that are stored in the file.
    var frameCount: Int64 { encoder == nil ? writer.frameCount : min(frames, writer.frameCount) }

    /// Appends whole frames, and forces the file to the disk if that is due.
    ///
    /// The thread that writes waits for the disk. Meanwhile the queue's buffers hold the captured audio, as during a
    /// slow write.
    func append(_ bytes: UnsafeRawBufferPointer) throws(AudioFileError) {
        try unsafe write(bytes)
        unsyncedFrames += Int64(bytes.count / bytesPerFrame)
        guard unsyncedFrames >= syncFrames else { return }
        unsyncedFrames = 0
        try disk?.synchronize()
    }

    private func write(_ bytes: UnsafeRawBufferPointer) throws(AudioFileError) {
        guard let encoder else { return try unsafe writer.append(bytes) }
        if let failure { throw failure }
        frames += Int64(bytes.count / bytesPerFrame)
        try attempt { () throws(CodecError) in try unsafe encoder.append(bytes) }
        try writePackets(of: encoder)
    }

    private static func disk(
        _ path: FilePath, _ plan: FileSequence.Plan
    ) throws(AudioFileError) -> FileOnDisk? {
        // An output that is not a regular file (a FIFO, a device) has no disk.
        plan.syncFrames == nil || FileIdentity(path: path) == nil ? nil : try FileOnDisk(path: path)
    }

    /// Encodes the rest, writes the number of valid frames, closes the file, and forces it to the disk if that is
    /// requested.
    func close() throws(AudioFileError) {
        try complete()
        try disk?.synchronize()
    }

    private func complete() throws(AudioFileError) {
        do throws(AudioFileError) {
            if let encoder, failure == nil {
                try attempt { () throws(CodecError) in try encoder.finish() }
                try writePackets(of: encoder)
                try setPacketTable(
                    PacketTable(
                        primingFrames: Int64(encoder.primingFrames), validFrames: frames,
                        remainderFrames: Int64(encoder.remainderFrames)))
            }
        } catch {
            // The file is closed as far as possible, and the first error is reported.
            try? writer.close()
            throw error
        }
        try writer.close()
    }

    private func writePackets(of encoder: any PacketEncoder) throws(AudioFileError) {
        while try takePackets(from: encoder) {
            try unsafe packets.withUnsafeBufferPointer { (bytes) throws(AudioFileError) in
                let filled = unsafe UnsafeRawBufferPointer(bytes)[..<filledBytes]
                try unsafe descriptions.withUnsafeBufferPointer { (descriptions) throws(AudioFileError) in
                    do throws(AudioFileError) {
                        try unsafe writer.append(
                            UnsafeRawBufferPointer(rebasing: filled),
                            packetDescriptions: packetBytes > 0 ? nil : descriptions)
                    } catch {
                        failure = error
                        throw error
                    }
                }
            }
        }
    }

    private var filledBytes = 0

    /// Collects the packets that are ready. Returns false if there are none.
    private func takePackets(from encoder: any PacketEncoder) throws(AudioFileError) -> Bool {
        filledBytes = 0
        descriptions.removeAll(keepingCapacity: true)
        while packets.count - filledBytes >= encoder.maximumPacketSize,
            descriptions.count < RecordingFile.mostPackets
        {
            var made: EncodedPacket?
            let start = filledBytes
            try attempt { () throws(CodecError) in
                made = try unsafe packets.withUnsafeMutableBufferPointer {
                    (bytes: inout UnsafeMutableBufferPointer<UInt8>) throws(CodecError) in
                    let room = UnsafeMutableRawBufferPointer(bytes)
                    return try unsafe encoder.nextPacket(
                        into: UnsafeMutableRawBufferPointer(rebasing: room[start...]))
                }
            }
            guard let made, made.bytes > 0 else { break }
            if packetBytes == 0 {
                descriptions.append(
                    AudioStreamPacketDescription(
                        mStartOffset: Int64(start), mVariableFramesInPacket: 0,
                        mDataByteSize: UInt32(clamping: made.bytes)))
            }
            filledBytes += made.bytes
        }
        return filledBytes > 0
    }

    private func setPacketTable(_ table: PacketTable) throws(AudioFileError) {
        // An ADTS stream cannot contain the number of its valid frames.
        guard writer.type != .adts, table.primingFrames > 0 || table.remainderFrames > 0 else { return }
        try writer.setPacketTable(table)
    }

    private func attempt(_ body: () throws(CodecError) -> Void) throws(AudioFileError) {
        do throws(CodecError) { try body() } catch {
            let failed = AudioFileError(
                .unwritable, "cannot write \(FileReport.name(writer.path)): \(error.message)")
            failure = failed
            throw failed
        }
    }
}
