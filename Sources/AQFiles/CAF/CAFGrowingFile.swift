// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// A CAF file on disk that grows by packets of varying size or number of frames.
///
/// Such a file cannot be read without a packet table, and a process may be killed at any moment. Therefore the file
/// always has a table of the packets appended so far. The audio's chunk ends with the last packet listed, because
/// libavformat reports an error if the chunk is longer. If the number of packets is known in advance, the table is
/// ahead of the audio, in room reserved for it, and uncounted audio is in a 'free' chunk whose header the audio later
/// replaces. If the number is unknown, or the room is used up, the chunks are
///
///     data  the audio, as far as it is counted
///     free  a gap, into which the audio grows
///     pakt  the table, with room after the entries it counts
///
/// An append first writes data that readers ignore: the audio into the gap, except for the bytes that the gap's header
/// occupies; after the audio, a header for the rest of the gap; and the entries into their room. Then the append
/// lengthens the audio's chunk, writes the first bytes of the audio over the old header of the gap, and counts the
/// packets in the table. If the process is killed between these three steps, the table has entries that it does not
/// count. Readers then find only the counted packets, without a fault. Audio shorter than a header is written before
/// the audio's chunk is lengthened: if the process is killed in between, readers do not find the table.
///
/// If the gap or the room is used up, a second table with all entries is written farther back, hidden in a 'free'
/// chunk, and the gap is extended up to that table. When the file is closed, a table of the exact size is written into
/// the gap, its header replaces the gap's header, and the rest is truncated.
///
/// Each critical field is within one page of memory, so that the system writes all of it or nothing. The gap is never
/// written, so it uses no space on most file systems. The gap grows with the file, so that the successive tables use
/// only a few percent of the file.
final class CAFGrowingFile {
    /// The number of packets that the table on disk counts.
    private(set) var packets: Int64 = 0
    private(set) var dataBytes: Int64 = 0
    private(set) var frames = PacketTable(primingFrames: 0, validFrames: 0, remainderFrames: 0)

    private let file: OutputFile
    private var header = CAFWrittenHeader(bytes: HeaderBytes(), table: nil)
    /// The entries of the table, without its header.
    private var entries: [UInt8] = []
    /// The table's chunk; its upper bound limits the entries.
    private var table: Range<Int64> = 0..<0
    /// The first bytes of uncounted audio, whose space the gap's header occupies.
    private var firstBytes: [UInt8] = []

    /// - Parameter file: An empty regular file.
    init(_ file: OutputFile) {
        self.file = file
    }

    /// The size of the file, if it were closed now.
    var byteCount: Int64 {
        isTableAhead ? dataEnd : dataEnd + Self.emptyTableBytes + Int64(entries.count)
    }

    /// The number of uncounted bytes written by ``appendAudio(_:)``.
    var uncountedBytes: Int64 {
        isTableAhead
            ? file.byteCount - dataEnd : Int64(firstBytes.count) + file.byteCount - dataEnd - gapHeaderBytes
    }

    /// Begins the file, or begins again if the file has no packet: in one write, so that the file is always complete.
    func begin(with header: CAFWrittenHeader) throws(AudioFileError) {
        self.header = header
        var content = header.bytes
        if let ahead = header.table {
            table = Int64(ahead.lowerBound)..<Int64(ahead.upperBound)
        } else {
            let start = dataEnd + gapHeaderBytes
            table = start..<start + Self.emptyTableBytes
            content.append(raw: gapHeader(at: dataEnd) + tableBytes(roomBytes: 0).bytes)
        }
        try file.patch(content.bytes[...], at: 0)
        try file.truncate(to: Int64(content.count))
        if !isTableAhead { try file.move(to: table.lowerBound) }
    }

    func makeRoom(audioBytes: Int64, entryBytes: Int, packets newPackets: Int) throws(AudioFileError) {
        let entryEnd = table.lowerBound + Self.emptyTableBytes + Int64(entries.count + entryBytes)
        let audioEnd = dataEnd + audioBytes + gapHeaderBytes
        let isGapUsedUp = !isTableAhead && audioEnd > table.lowerBound
        guard isGapUsedUp || entryEnd > table.upperBound else { return }
        let usualBytes = max(Self.leastGapBytes, dataBytes / 8)
        // If disk space is short, a smaller gap may still fit.
        for gapBytes in [usualBytes, usualBytes / 16, usualBytes / 256] {
            do {
                return try moveTable(
                    from: audioEnd + gapBytes,
                    roomBytes: roomBytes(
                        gapBytes: gapBytes, audioBytes: audioBytes, entryBytes: entryBytes,
                        packets: newPackets))
            } catch  where error.isForWantOfSpace { continue }
        }
        try moveTable(from: audioEnd, roomBytes: Int64(entries.count + entryBytes))
    }

    /// The size of room for entries that lasts until a gap is filled with packets like the given ones.
    private func roomBytes(gapBytes: Int64, audioBytes: Int64, entryBytes: Int, packets: Int) -> Int64 {
        let packets = max(self.packets + Int64(packets), 1)
        let knownBytes = Int64(entries.count + entryBytes)
        let averageBytes = max((dataBytes + audioBytes) / packets, 1)
        let comingBytes = gapBytes / averageBytes * (knownBytes / packets + 1) * 5 / 4
        return knownBytes + min(max(comingBytes, Self.leastSpareBytes), Self.mostSpareBytes)
    }

    /// Writes audio into the available room without counting it. If the table is ahead, the audio must be counted
    /// before the next call.
    func appendAudio(_ bytes: UnsafeRawBufferPointer) throws(AudioFileError) {
        guard !isTableAhead else { return try unsafe appendHidden(bytes) }
        let missing = Int(gapHeaderBytes) - firstBytes.count
        unsafe firstBytes.append(contentsOf: bytes.prefix(missing))
        try unsafe file.append(UnsafeRawBufferPointer(rebasing: bytes.dropFirst(missing)))
    }

    /// Writes audio as a 'free' chunk, so that readers accept it behind the counted audio.
    private func appendHidden(_ bytes: UnsafeRawBufferPointer) throws(AudioFileError) {
        guard bytes.count >= Int(gapHeaderBytes) else { return try unsafe file.append(bytes) }
        unsafe firstBytes = Array(bytes.prefix(Int(gapHeaderBytes)))
        let filler = Self.filler(from: file.byteCount, to: file.byteCount + Int64(bytes.count))
        try file.append(unsafe filler + bytes.dropFirst(Int(gapHeaderBytes)))
    }

    /// Counts packets whose audio is written.
    func count(
        packets newPackets: Int, bytes: Int64, entries newEntries: ArraySlice<UInt8>, frames: PacketTable
    ) throws(AudioFileError) {
        let start = dataEnd
        let first = firstBytes.prefix(Int(bytes))
        if !isTableAhead {
            // Audio shorter than the gap's header is written with the new header, over the old one.
            let isShort = bytes < gapHeaderBytes
            let gap = (isShort ? first : []) + gapHeader(at: start + bytes)
            try file.patch(gap, at: isShort ? start : start + bytes)
        }
        try file.patch(newEntries, at: table.lowerBound + Self.emptyTableBytes + Int64(entries.count))
        dataBytes += bytes
        try setLength(upTo: dataEnd)
        try file.patch(first, at: start)
        if !isTableAhead { try file.move(to: dataEnd + gapHeaderBytes) }
        firstBytes = []
        entries += newEntries
        packets += Int64(newPackets)
        try setFrames(frames)
    }

    /// Writes the header of the table.
    func setFrames(_ frames: PacketTable) throws(AudioFileError) {
        let bytes = CAFPacketTableHeader(packets: packets, frames: frames).bytes
        try file.patch(bytes[...], at: table.lowerBound + Int64(CAFChunkHeader.bytes))
        self.frames = frames
    }

    /// Closes the gap. The file is also valid without this step.
    func tidy() throws(AudioFileError) {
        if isTableAhead { return try tidyAhead() }
        let exactEnd = dataEnd + Self.emptyTableBytes + Int64(entries.count)
        let hiddenEnd = exactEnd + Int64(CAFChunkHeader.bytes)
        if hiddenEnd > table.lowerBound { try moveTable(from: hiddenEnd, roomBytes: Int64(entries.count)) }
        var exact = tableBytes(roomBytes: 0)
        exact.append(raw: Self.filler(from: exactEnd, to: table.upperBound))
        try file.patch(exact.bytes[CAFChunkHeader.bytes...], at: dataEnd + gapHeaderBytes)
        try file.patch(exact.bytes[..<CAFChunkHeader.bytes], at: dataEnd)
        table = dataEnd..<exactEnd
        try file.truncate(to: exactEnd)
    }

    /// Sets the length of the audio, and turns unused room of the table into a chunk.
    private func tidyAhead() throws(AudioFileError) {
        let end = table.lowerBound + Self.emptyTableBytes + Int64(entries.count)
        let spareBytes = table.upperBound - end - Int64(CAFChunkHeader.bytes)
        // Room smaller than a chunk header stays with the table; readers skip it.
        if spareBytes >= 0 {
            try file.patch(Self.filler(from: end, to: table.upperBound)[...], at: end)
            let size = tableBytes(roomBytes: 0).bytes[..<CAFChunkHeader.bytes]
            try file.patch(size, at: table.lowerBound)
            table = table.lowerBound..<end
        }
        try file.truncate(to: dataEnd)
        try setLength(upTo: dataEnd)
    }

    /// Truncates an unfinished table after the current one. No audio can be appended afterwards.
    func cutOffSpare() throws(AudioFileError) {
        if !isTableAhead { try file.truncate(to: table.upperBound) }
    }

    private var dataEnd: Int64 { Int64(header.bytes.count) + dataBytes }

    /// Whether the table is in its room ahead of the audio.
    private var isTableAhead: Bool { table.upperBound < Int64(header.bytes.count) }

    /// Writes a new table after all other data, and makes it the current one.
    ///
    /// If writing fails, the old table remains.
    private func moveTable(from position: Int64, roomBytes: Int64) throws(AudioFileError) {
        if isTableAhead { return try moveTableFromAhead(to: position, roomBytes: roomBytes) }
        let old = table
        let least = max(position, old.upperBound + Int64(CAFChunkHeader.bytes))
        let start = Self.roundedToPage(least)
        do throws(AudioFileError) {
            // Until the table is written, the cover ends past the end of the file, where readers need no data.
            let cover = Self.filler(from: old.upperBound, to: start + Self.emptyTableBytes + roomBytes)
            try file.patch(cover[...], at: old.upperBound)
            try writeTable(at: start, roomBytes: roomBytes)
            try file.patch(gapHeader(at: dataEnd)[...], at: dataEnd)
        } catch {
            table = old
            throw error
        }
    }

    /// Writes the table after the audio. The table ahead of the audio has the same entries, and becomes unused room.
    private func moveTableFromAhead(to position: Int64, roomBytes: Int64) throws(AudioFileError) {
        let old = table
        do throws(AudioFileError) {
            let start = Self.roundedToPage(position + gapHeaderBytes)
            let cover = Self.filler(from: dataEnd, to: start + Self.emptyTableBytes + roomBytes)
            try file.patch(cover[...], at: dataEnd)
            try writeTable(at: start, roomBytes: roomBytes)
            try file.patch(gapHeader(at: dataEnd)[...], at: dataEnd)
            try file.move(to: dataEnd + gapHeaderBytes)
        } catch {
            table = old
            throw error
        }
        var type = HeaderBytes()
        type.append(big: CAFChunkType.free.rawValue)
        try file.patch(type.bytes[...], at: old.lowerBound)
    }

    private static func roundedToPage(_ position: Int64) -> Int64 {
        let page = Int64(CAFFileHeader.pageBytes)
        return (position + page - 1) / page * page
    }

    private func writeTable(at start: Int64, roomBytes: Int64) throws(AudioFileError) {
        var bytes = tableBytes(roomBytes: roomBytes - Int64(entries.count))
        // Zeros reserve space for these entries, in case the disk becomes full.
        bytes.append(raw: [UInt8](repeating: 0, count: Int(roomBytes) - entries.count))
        try file.patch(bytes.bytes[...], at: start)
        table = start..<start + Int64(bytes.count)
    }

    /// Makes the table's chunk with the current entries; its length includes the given room.
    private func tableBytes(roomBytes: Int64) -> HeaderBytes {
        var bytes = HeaderBytes()
        bytes.append(big: CAFChunkType.pakt.rawValue)
        bytes.append(big: Int64(CAFPacketTableHeader.bytes + entries.count) + roomBytes)
        bytes.append(raw: CAFPacketTableHeader(packets: packets, frames: frames).bytes)
        bytes.append(raw: entries)
        return bytes
    }

    /// Makes the header of a gap from `position` to the table.
    private func gapHeader(at position: Int64) -> [UInt8] {
        Self.filler(from: position, to: table.lowerBound)
    }

    /// Makes the header of a 'free' chunk.
    private static func filler(from position: Int64, to end: Int64) -> [UInt8] {
        var bytes = HeaderBytes()
        bytes.append(big: CAFChunkType.free.rawValue)
        bytes.append(big: end - position - Int64(CAFChunkHeader.bytes))
        return bytes.bytes
    }

    /// Sets the length of the audio's chunk so that it ends at `end`.
    private func setLength(upTo end: Int64) throws(AudioFileError) {
        let offset = header.lengthOffset
        header.bytes.set(
            big: end - Int64(header.bytes.count) + CAFChunkHeader.editCountBytes, at: offset)
        try file.patch(header.bytes.bytes[offset..<offset + 8], at: Int64(offset))
    }

    private let gapHeaderBytes = Int64(CAFChunkHeader.bytes)
    private static let emptyTableBytes = Int64(CAFChunkHeader.bytes + CAFPacketTableHeader.bytes)
    private static let leastGapBytes: Int64 = 1 << 20
    private static let leastSpareBytes: Int64 = 256
    private static let mostSpareBytes: Int64 = 1 << 20
}

extension AudioFileError {
    /// Whether a smaller file might be written without this error.
    var isForWantOfSpace: Bool { [.diskFull, .quotaExceeded, .fileTooLarge].contains(code) }
}
