// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// A writer of AAC or ALAC packets to an MPEG-4 file.
///
/// A growing file is fragmented: each part of a second follows its own index. So a killed process leaves a readable
/// file that lacks less than a second. Closing writes one index of all packets at the end. Then a single write to a
/// reserved header turns the header and the fragments' indexes into contents of one data box: a plain file, for players
/// without support for fragments. A stream stays fragmented.
///
/// A file that is not read before it is closed has no fragments: its audio is one data box from the start. The index is
/// written to reserved room before the audio if it fits, or else after the audio.
final class MP4PacketWriter: PacketWriter {
    let file: OutputFile
    private let format: AudioStreamBasicDescription
    /// Whether there are no fragments.
    private let isPlain: Bool
    private let packetsToHaveRoomFor: Int64?
    private var isIndexWritten = false
    private var track: MP4WrittenTrack
    private var samples = MP4WrittenSamples()
    /// The packets that wait for their fragment to be full, and their sizes. The last packet waits until the file is
    /// closed, because it may be shorter.
    private var pending: [UInt8] = []
    private var pendingSizes: [UInt32] = []
    private var table = PacketTable(primingFrames: 0, validFrames: 0, remainderFrames: 0)
    /// The number of frames missing from the last packet, according to its description.
    private var missingFrames: Int64 = 0
    private var metadata = FileMetadata()
    private var isHeadWritten = false
    private var isLastWritten = false

    /// Checks that the file can hold packets of the format, then creates the file.
    static func make(_ order: FileOrder) throws(AudioFileError) -> any PacketWriter {
        let track = try MP4WrittenTrack(order.format)
        return try order.createFile { (file) throws(AudioFileError) in
            try MP4PacketWriter(track, order, to: file)
        }
    }

    private init(_ track: MP4WrittenTrack, _ order: FileOrder, to file: OutputFile) throws(AudioFileError) {
        self.track = track
        format = order.format
        isPlain = order.isWholeOrNothing && file.isSeekable
        packetsToHaveRoomFor = order.packetsToHaveRoomFor
        self.file = file
        if file.isSeekable { try writeHead() }
    }

    var frameCount: Int64 {
        // Without fragments, nothing counts the packets before the index does.
        guard !isPlain || isIndexWritten else { return 0 }
        return max(samples.count * framesPerPacket - table.primingFrames - remainderOfWritten, 0)
    }

    var isEmpty: Bool { samples.count == 0 && pendingSizes.isEmpty }

    func append(
        _ bytes: UnsafeRawBufferPointer,
        packetDescriptions: UnsafeBufferPointer<AudioStreamPacketDescription>?
    ) throws(AudioFileError) {
        let ranges = try unsafe DescribedPackets(packetDescriptions, in: bytes.count).ranges
        let frames = unsafe packetDescriptions?.map { $0.mVariableFramesInPacket } ?? []
        try check(frames)
        try attempt { () throws(AudioFileError) in
            for (range, frames) in zip(ranges, frames) {
                if isFragmentFull { try writeFragment(isLast: false) }
                unsafe pending.append(contentsOf: bytes[range])
                pendingSizes.append(UInt32(clamping: range.count))
                missingFrames = frames > 0 ? framesPerPacket - Int64(frames) : 0
            }
        }
    }

    /// Checks the described frames: all packets except the last must have the format's number.
    private func check(_ frames: [UInt32]) throws(AudioFileError) {
        let usual = format.mFramesPerPacket
        guard frames.isEmpty || missingFrames == 0, frames.allSatisfy({ $0 <= usual }),
            frames.dropLast().allSatisfy({ $0 == 0 || $0 == usual })
        else {
            throw AudioFileError(
                .unsupported, "only the last packet may have other than \(usual) frames, and only fewer")
        }
    }

    func set(_ setting: FileSetting) throws(AudioFileError) {
        try checkIsEmpty(before: setting)
        switch setting {
        case .magicCookie(let cookie): try track.setMagicCookie(cookie, for: format)
        case .information(let information):
            let bytes = information.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
            guard bytes <= 1 << 20 else {
                throw AudioFileError(.unsupported, "\(bytes) bytes of tags are more than 1 MB")
            }
            metadata.information = information
        case .artwork(let artwork):
            guard artwork.bytes.count <= AudioFileArtwork.mostBytes else {
                throw AudioFileError(.unsupported, "a picture of \(artwork.bytes.count) bytes is too large")
            }
            metadata.artwork = artwork
        default: throw setting.refusal
        }
        try rewriteHead()
    }

    func setPacketTable(_ table: PacketTable) throws(AudioFileError) {
        guard 0..<1 << 31 ~= table.primingFrames, 0..<1 << 31 ~= table.remainderFrames else {
            throw AudioFileError(
                .unsupported,
                "\(table.primingFrames) priming and \(table.remainderFrames) remainder frames cannot be")
        }
        guard file.isSeekable || !isHeadWritten || table.primingFrames == self.table.primingFrames else {
            throw AudioFileError(
                .unsupported, "the priming frames of a stream must be known before its first packet")
        }
        self.table = table
        try rewriteHead()
    }
}

extension MP4PacketWriter {
    private var framesPerPacket: Int64 { Int64(format.mFramesPerPacket) }

    /// The number of frames after the audio in the file; 0 before the last packet is written.
    private var remainderOfWritten: Int64 { isLastWritten ? max(missingFrames, table.remainderFrames) : 0 }

    /// The number of frames of the last packet that are not audio; 0 if the remainder fills a packet.
    private var lastMissingFrames: Int64 {
        let frames = max(missingFrames, table.remainderFrames)
        return frames < framesPerPacket ? frames : 0
    }

    /// Whether the pending packets fill a fragment, the audio that may be lost if the process dies. Short fragments
    /// cost space for headers; the first ones are only as long as the audio in the file so far.
    private var isFragmentFull: Bool {
        let usual = packetsPerFragment
        let packets = isPlain ? usual : min(usual, max(Int(clamping: samples.count), 1))
        return pendingSizes.count >= packets || pending.count >= 1 << 23
    }

    private var packetsPerFragment: Int {
        Int((0.4 * format.mSampleRate / Double(framesPerPacket)).rounded(.up))
    }

    /// Performs a change of the file, and makes the file valid after a failure.
    private func attempt(_ change: () throws(AudioFileError) -> Void) throws(AudioFileError) {
        let end = file.byteCount
        do throws(AudioFileError) {
            try change()
        } catch {
            pending = []
            pendingSizes = []
            // Readers skip an incomplete fragment, if truncating fails too.
            if file.isSeekable, isHeadWritten { try? file.truncate(to: samples.endOffset ?? end) }
            throw error
        }
    }

    /// The header of the file, with the settings made so far.
    private var head: [UInt8] {
        isPlain
            ? track.plainHead(roomBytes: roomBytes)
            : track.head(primingFrames: table.primingFrames, metadata: metadata)
    }

    /// The room for the index before the audio of a plain file; fixed once there are packets.
    private var roomBytes: Int {
        guard isPlain, let packets = packetsToHaveRoomFor else { return 0 }
        return track.indexBytes(
            packets: Int(packets), chunks: Int(packets) / packetsPerFragment, metadata: metadata)
    }

    private func writeHead() throws(AudioFileError) {
        try file.append(head)
        isHeadWritten = true
    }

    /// Updates the header of a file; a stream's header waits for the first fragment.
    private func rewriteHead() throws(AudioFileError) {
        guard file.isSeekable, isHeadWritten else { return }
        // A plain header does not contain the priming, and the size of the room is fixed.
        if isPlain, samples.count > 0 { return }
        let head = self.head
        try attempt { () throws(AudioFileError) in
            try file.patch(head[...], at: 0)
            // The header's length depends on cookie and metadata, which are fixed once there are fragments.
            if samples.count == 0 { try file.truncate(to: Int64(head.count)) }
        }
    }

    private func writeFragment(isLast: Bool) throws(AudioFileError) {
        guard !pendingSizes.isEmpty else { return }
        if !isHeadWritten { try writeHead() }
        let head =
            isPlain
            ? []
            : track.fragmentHead(
                number: UInt32(truncatingIfNeeded: samples.fragments.count + 1),
                firstFrame: samples.count * framesPerPacket, sizes: pendingSizes,
                lastPacketFrames: isLast ? framesPerPacket - lastMissingFrames : framesPerPacket)
        let start = file.byteCount
        // The sizes come first: if a kill truncates a fragment, readers play its complete packets.
        try file.append(head + pending)
        samples.append(pendingSizes, at: start + Int64(head.count))
        pending.removeAll(keepingCapacity: true)
        pendingSizes.removeAll(keepingCapacity: true)
        isLastWritten = isLast
    }

    /// Writes the pending packets and the index. After a failure, a fragmented file is valid as it is. A plain file is
    /// completed with the written packets, if there is room for the index.
    func complete(hasFailed: Bool) throws(AudioFileError) {
        if !hasFailed {
            try attempt { () throws(AudioFileError) in
                if !isHeadWritten { try writeHead() }
                try writeFragment(isLast: true)
            }
        }
        guard file.isSeekable, !hasFailed || isPlain && samples.count > 0 else { return }
        let (end, roomBytes) = (file.byteCount, roomBytes)
        let index = track.index(
            of: samples, primingFrames: table.primingFrames,
            lastPacketFrames: framesPerPacket - (hasFailed ? 0 : lastMissingFrames),
            remainderFrames: remainderOfWritten, metadata: metadata)
        do throws(AudioFileError) {
            if let fitted = track.fitted(index, roomBytes: roomBytes) {
                try file.patch(fitted[...], at: Int64(track.fileTypeBytes))
            } else {
                try file.append(index)
            }
            try file.patch(
                track.dataHeader(end: end, roomBytes: roomBytes)[...],
                at: Int64(track.fileTypeBytes + roomBytes))
            isIndexWritten = true
        } catch {
            // A fragmented file is valid as it is.
            try? file.truncate(to: end)
            throw error
        }
    }
}
