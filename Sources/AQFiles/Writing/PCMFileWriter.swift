// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// A writer of linear PCM to a container: samples at the end of the file, then the fields that count them.
///
/// With this order the header is always correct. If a process dies before the fields are written, readers ignore the
/// uncounted samples.
final class PCMFileWriter<Container: PCMContainer>: PacketWriter {
    private var container: Container
    let file: OutputFile
    /// The size of a frame, or of a packet if packets have several frames.
    private let frameBytes: Int64
    private let framesPerPacket: Int64
    private var header: HeaderBytes
    /// Whether the header is written. A stream's header waits for the first samples, because it cannot be changed
    /// later.
    private var isHeaderWritten = false
    /// The size of whole frames after the header, and the part of it that the header counts.
    private var dataBytes: Int64 = 0
    private var countedBytes: Int64 = 0

    init(
        _ container: Container, to file: OutputFile, frameBytes: Int, framesPerPacket: Int64 = 1
    ) throws(AudioFileError) {
        self.framesPerPacket = framesPerPacket
        self.container = container
        self.file = file
        self.frameBytes = Int64(frameBytes)
        header = container.header
        if file.isSeekable { try writeHeader() }
    }

    var frameCount: Int64 { countedBytes / frameBytes * framesPerPacket }

    var isEmpty: Bool { dataBytes == 0 && (file.isSeekable || !isHeaderWritten) }

    var maximumFrameCount: Int64? {
        container.maximumDataBytes.map { $0 / frameBytes * framesPerPacket }
    }

    func append(
        _ bytes: UnsafeRawBufferPointer,
        packetDescriptions: UnsafeBufferPointer<AudioStreamPacketDescription>?
    ) throws(AudioFileError) {
        guard Int64(bytes.count) % frameBytes == 0 else {
            throw AudioFileError(
                .unsupported,
                "\(bytes.count) bytes are not a whole number of \(framesPerPacket > 1 ? "packets" : "frames") of "
                    + "\(frameBytes) bytes")
        }
        try attempt { () throws(AudioFileError) in
            if !isHeaderWritten { try writeHeader() }
            let room = container.maximumDataBytes.map { $0 - $0 % frameBytes - dataBytes } ?? .max
            let fittingBytes = min(Int64(bytes.count), room)
            try unsafe file.append(UnsafeRawBufferPointer(rebasing: bytes.prefix(Int(fittingBytes))))
            dataBytes += fittingBytes
            try renewHeader()
            guard fittingBytes == Int64(bytes.count) else {
                throw AudioFileError(
                    .containerFull, "a file of this type cannot exceed \(frameCount) frames of this format")
            }
        }
    }

    func overwrite(_ bytes: UnsafeRawBufferPointer, at byteOffset: Int64) throws(AudioFileError) {
        guard file.isSeekable else {
            throw AudioFileError(.unsupported, "a stream can only be written forwards")
        }
        guard byteOffset >= 0, byteOffset <= dataBytes - Int64(bytes.count) else {
            throw AudioFileError(
                .unsupported, "of \(bytes.count) bytes at byte \(byteOffset) not all are there")
        }
        try unsafe file.patch(bytes, at: Int64(header.count) + byteOffset)
    }

    func shorten(toBytes bytes: Int64) throws(AudioFileError) {
        guard file.isSeekable else {
            throw AudioFileError(.unsupported, "a stream can only be written forwards")
        }
        guard 0...dataBytes ~= bytes, bytes % frameBytes == 0 else {
            throw AudioFileError(
                .unsupported, "\(bytes) bytes are not a whole number of the existing packets")
        }
        try attempt { () throws(AudioFileError) in
            dataBytes = bytes
            // An RF64 file may become WAVE again. Data beyond the header's count is removed afterwards.
            header = container.header
            try renewHeader()
            try file.truncate(to: Int64(header.count) + bytes)
        }
    }

    /// Appends zeros that use no space on the disk, so that tests can have large files.
    func appendHole(bytes: Int64) throws(AudioFileError) {
        try attempt { () throws(AudioFileError) in
            try file.truncate(to: Int64(header.count) + dataBytes + bytes)
            dataBytes += bytes
            try renewHeader()
        }
    }

    func set(_ setting: FileSetting) throws(AudioFileError) {
        try checkIsEmpty(before: setting)
        try container.set(setting, isStream: !file.isSeekable)
        header = container.header
        guard isHeaderWritten else { return }
        isHeaderWritten = false
        try attempt { () throws(AudioFileError) in
            try file.truncate(to: 0)
            try writeHeader()
        }
    }

    func setPacketTable(_ table: PacketTable) throws(AudioFileError) {
        guard file.isSeekable else {
            throw AudioFileError(.unsupported, "a stream of unknown length cannot contain a packet table")
        }
        try container.setPacketTable(table)
        if isHeaderWritten { try attempt { () throws(AudioFileError) in try renewHeader() } }
    }

    /// Performs a change of the file, and makes the file valid after a failure.
    private func attempt(_ change: () throws(AudioFileError) -> Void) throws(AudioFileError) {
        do throws(AudioFileError) {
            try change()
        } catch {
            keepWholeFrames()
            throw error
        }
    }

    /// Truncates a partly written frame, and counts the frames before it.
    private func keepWholeFrames() {
        guard isHeaderWritten else { return }
        let arrived = file.byteCount - Int64(header.count)
        dataBytes = arrived - arrived % frameBytes
        do {
            if file.isSeekable, dataBytes < arrived { try file.truncate(to: Int64(header.count) + dataBytes) }
            // The header already has space, even on a full disk.
            try renewHeader()
        } catch {
            // The first failure is reported. The header keeps its old count, and all frames that it counts are present.
        }
    }

    private func writeHeader() throws(AudioFileError) {
        if file.isSeekable {
            container.renew(&header, dataBytes: 0, trailerBytes: 0)
        } else {
            container.leaveOpen(&header)
        }
        try file.append(header.bytes)
        isHeaderWritten = true
    }

    private func renewHeader(trailerBytes: Int = 0) throws(AudioFileError) {
        if file.isSeekable {
            container.renew(&header, dataBytes: dataBytes, trailerBytes: trailerBytes)
            let renewed = container.renewedBytes
            try file.patch(header.bytes[renewed], at: Int64(renewed.lowerBound))
        }
        countedBytes = dataBytes
    }

    func complete(hasFailed: Bool) throws(AudioFileError) {
        if !isHeaderWritten, !hasFailed { try writeHeader() }
        guard isHeaderWritten, file.isSeekable else { return }
        let trailer = container.trailer(dataBytes: dataBytes)
        let end = Int64(header.count) + dataBytes
        if !trailer.isEmpty {
            do throws(AudioFileError) {
                // Part of a frame remains if it could not be truncated before.
                if file.byteCount > end { try file.truncate(to: end) }
                try file.append(trailer)
            } catch {
                try file.truncate(to: end)
                throw error
            }
        }
        if countedBytes < dataBytes || !trailer.isEmpty { try renewHeader(trailerBytes: trailer.count) }
    }
}
