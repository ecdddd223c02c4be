import CoreAudioTypes

/// A CAF file on the disk that grows by packets which differ in size or in frames.
///
/// Without the table of its packets such a file is lost, and a process may be killed at any moment. So at every
/// moment there is a table, which lists what was appended before, and the audio's chunk ends with the last packet
/// listed: libavformat reports an error where it is longer. If it is known how many packets will come, the table
/// is ahead of the audio, in room reserved for it. If that is not known, or the room is used up, the chunks are
///
///     data  the audio, as far as it is counted
///     free  a gap, into which the audio grows
///     pakt  the table, with room behind the entries it counts
///
/// An append writes the audio into the gap, except for the bytes that the gap's header takes; behind it, a header
/// for the rest of the gap; and the entries into their room. Readers see none of that. Then it lengthens the
/// audio's chunk, writes the first bytes of the audio over the old header of the gap, and counts the packets in the
/// table. A process that is killed between these three leaves audio that the table does not list, behind all that
/// it lists. Fewer bytes than a header has are written before the audio's chunk is lengthened: a kill just then
/// leaves a file whose table is not found.
///
/// When the gap or the room is used up, a second table with all entries is written further on, hidden in a
/// 'free' chunk, and the gap is lengthened up to it. When the file is closed, a table of the exact size is
/// written into the gap, and its header over that of the gap; then the rest is cut off.
///
/// A field that makes a difference lies within a page of memory, so that the system writes all of it or nothing.
/// The gap is never written, so that it takes no room on most file systems, and grows with the file, so that the
/// tables written one after another take a few percent of it.
final class CAFGrowingFile {
    /// Counted by the table on the disk.
    private(set) var packets: Int64 = 0
    private(set) var dataBytes: Int64 = 0
    private(set) var frames = PacketTable(primingFrames: 0, validFrames: 0, remainderFrames: 0)

    private let file: OutputFile
    private var header = CAFWrittenHeader(bytes: HeaderBytes(), table: nil)
    /// Those of the table, without its header.
    private var entries: [UInt8] = []
    /// The table's chunk, and where its entries may end.
    private var table: Range<Int64> = 0..<0
    /// The first bytes of the audio that nothing counts, whose place the header of the gap has.
    private var firstBytes: [UInt8] = []

    /// - Parameter file: Empty, and a regular file.
    init(_ file: OutputFile) {
        self.file = file
    }

    /// Bytes of the file if it were closed now.
    var byteCount: Int64 {
        isTableAhead ? dataEnd : dataEnd + Self.emptyTableBytes + Int64(entries.count)
    }

    /// Bytes behind the audio that ``appendAudio(_:)`` has written, but nothing counts.
    var uncountedBytes: Int64 {
        isTableAhead
            ? file.byteCount - dataEnd : Int64(firstBytes.count) + file.byteCount - dataEnd - gapHeaderBytes
    }

    /// Begins the file, or begins it again if it holds no packet.
    func begin(with header: CAFWrittenHeader) throws(AudioFileError) {
        if file.byteCount > 0 { try file.truncate(to: 0) }
        self.header = header
        try file.append(header.bytes.bytes)
        if let ahead = header.table {
            table = Int64(ahead.lowerBound)..<Int64(ahead.upperBound)
        } else {
            table = dataEnd + gapHeaderBytes..<dataEnd + gapHeaderBytes
            try file.append(gapHeader(at: dataEnd))
            try writeTable(at: table.lowerBound, roomBytes: 0)
        }
    }

    /// Sees to it that so much audio and so many bytes of entries can be written.
    func makeRoom(audioBytes: Int64, entryBytes: Int, packets newPackets: Int) throws(AudioFileError) {
        let entryEnd = table.lowerBound + Self.emptyTableBytes + Int64(entries.count + entryBytes)
        let audioEnd = dataEnd + audioBytes + gapHeaderBytes
        let isGapUsedUp = !isTableAhead && audioEnd > table.lowerBound
        guard isGapUsedUp || entryEnd > table.upperBound else { return }
        let usualBytes = max(Self.leastGapBytes, dataBytes / 8)
        // Where space runs out, a smaller gap may have room still.
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

    /// Bytes of entries for a table that shall last until a gap is used up by packets such as there were.
    private func roomBytes(gapBytes: Int64, audioBytes: Int64, entryBytes: Int, packets: Int) -> Int64 {
        let packets = max(self.packets + Int64(packets), 1)
        let knownBytes = Int64(entries.count + entryBytes)
        let averageBytes = max((dataBytes + audioBytes) / packets, 1)
        let comingBytes = gapBytes / averageBytes * (knownBytes / packets + 1) * 5 / 4
        return knownBytes + min(max(comingBytes, Self.leastSpareBytes), Self.mostSpareBytes)
    }

    /// Writes audio where there is room for it; nothing counts it yet.
    func appendAudio(_ bytes: UnsafeRawBufferPointer) throws(AudioFileError) {
        let missing = isTableAhead ? 0 : Int(gapHeaderBytes) - firstBytes.count
        unsafe firstBytes.append(contentsOf: bytes.prefix(missing))
        try unsafe file.append(UnsafeRawBufferPointer(rebasing: bytes.dropFirst(missing)))
    }

    /// Counts packets of which the audio has been written.
    func count(
        packets newPackets: Int, bytes: Int64, entries newEntries: ArraySlice<UInt8>, frames: PacketTable
    ) throws(AudioFileError) {
        let start = dataEnd
        let first = firstBytes.prefix(Int(bytes))
        if !isTableAhead {
            // Less audio than the header of the gap has bytes is written with the next one, over the old.
            let isShort = bytes < gapHeaderBytes
            let gap = (isShort ? first : []) + gapHeader(at: start + bytes)
            try file.patch(gap, at: isShort ? start : start + bytes)
        }
        try file.patch(newEntries, at: table.lowerBound + Self.emptyTableBytes + Int64(entries.count))
        dataBytes += bytes
        try setLength(upTo: dataEnd)
        if !isTableAhead {
            try file.patch(first, at: start)
            try file.move(to: dataEnd + gapHeaderBytes)
            firstBytes = []
        }
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

    /// Closes the gap; the file is as valid before.
    func tidy() throws(AudioFileError) {
        if isTableAhead { return try tidyAhead() }
        let exactEnd = dataEnd + Self.emptyTableBytes + Int64(entries.count)
        let hiddenEnd = exactEnd + Int64(CAFChunkHeader.bytes)
        if hiddenEnd > table.lowerBound { try moveTable(from: hiddenEnd, roomBytes: Int64(entries.count)) }
        var exact = tableBytes(roomBytes: 0)
        exact.append(big: CAFChunkType.free.rawValue)
        exact.append(big: table.upperBound - hiddenEnd)
        try file.patch(exact.bytes[CAFChunkHeader.bytes...], at: dataEnd + gapHeaderBytes)
        try file.patch(exact.bytes[..<CAFChunkHeader.bytes], at: dataEnd)
        table = dataEnd..<exactEnd
        try file.truncate(to: exactEnd)
    }

    /// Gives the audio its length, and what room the table does not need to a chunk of its own.
    private func tidyAhead() throws(AudioFileError) {
        let end = table.lowerBound + Self.emptyTableBytes + Int64(entries.count)
        let spareBytes = table.upperBound - end - Int64(CAFChunkHeader.bytes)
        // Fewer bytes than a chunk's header has stay with the table, where readers pass over them.
        if spareBytes >= 0 {
            var spare = HeaderBytes()
            spare.append(big: CAFChunkType.free.rawValue)
            spare.append(big: spareBytes)
            try file.patch(spare.bytes[...], at: end)
            let size = tableBytes(roomBytes: 0).bytes[..<CAFChunkHeader.bytes]
            try file.patch(size, at: table.lowerBound)
            table = table.lowerBound..<end
        }
        try file.truncate(to: dataEnd)
        try setLength(upTo: dataEnd)
    }

    /// Cuts off what there is of a table that was begun behind the one that counts. No audio can follow.
    func cutOffSpare() throws(AudioFileError) {
        if !isTableAhead { try file.truncate(to: table.upperBound) }
    }

    func close() throws(AudioFileError) { try file.close() }

    private var dataEnd: Int64 { Int64(header.bytes.count) + dataBytes }

    /// True while the table stands in its room ahead of the audio.
    private var isTableAhead: Bool { table.upperBound < Int64(header.bytes.count) }

    /// Writes the table anew at a place behind all there is, and takes it.
    ///
    /// What fails leaves the table where it was.
    private func moveTable(from place: Int64, roomBytes: Int64) throws(AudioFileError) {
        if isTableAhead { return try moveTableFromAhead(to: place, roomBytes: roomBytes) }
        let old = table
        let least = max(place, old.upperBound + Int64(CAFChunkHeader.bytes))
        let start = Self.roundedToPage(least)
        do throws(AudioFileError) {
            var cover = HeaderBytes()
            cover.append(big: CAFChunkType.free.rawValue)
            cover.append(
                big: start + Self.emptyTableBytes + roomBytes - old.upperBound - Int64(CAFChunkHeader.bytes))
            try file.patch(cover.bytes[...], at: old.upperBound)
            try writeTable(at: start, roomBytes: roomBytes)
            try file.patch(gapHeader(at: dataEnd)[...], at: dataEnd)
        } catch {
            table = old
            throw error
        }
    }

    /// Writes the table behind the audio; then the one ahead of it, which lists the same packets, becomes room
    /// that nobody uses.
    private func moveTableFromAhead(to place: Int64, roomBytes: Int64) throws(AudioFileError) {
        let old = table
        do throws(AudioFileError) {
            try writeTable(at: Self.roundedToPage(place + gapHeaderBytes), roomBytes: roomBytes)
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

    private static func roundedToPage(_ place: Int64) -> Int64 {
        let page = Int64(CAFFileHeader.pageBytes)
        return (place + page - 1) / page * page
    }

    private func writeTable(at start: Int64, roomBytes: Int64) throws(AudioFileError) {
        var bytes = tableBytes(roomBytes: roomBytes - Int64(entries.count))
        // Written, so that a disk that fills up has the room for these entries at least.
        bytes.append(raw: [UInt8](repeating: 0, count: Int(roomBytes) - entries.count))
        try file.patch(bytes.bytes[...], at: start)
        table = start..<start + Int64(bytes.count)
    }

    /// The chunk with the entries there are, which counts so much more as its own.
    private func tableBytes(roomBytes: Int64) -> HeaderBytes {
        var bytes = HeaderBytes()
        bytes.append(big: CAFChunkType.pakt.rawValue)
        bytes.append(big: Int64(CAFPacketTableHeader.bytes + entries.count) + roomBytes)
        bytes.append(raw: CAFPacketTableHeader(packets: packets, frames: frames).bytes)
        bytes.append(raw: entries)
        return bytes
    }

    /// The header of a gap that reaches from `place` to the table.
    private func gapHeader(at place: Int64) -> [UInt8] {
        var bytes = HeaderBytes()
        bytes.append(big: CAFChunkType.free.rawValue)
        bytes.append(big: table.lowerBound - place - gapHeaderBytes)
        return bytes.bytes
    }

    /// Has the audio's chunk end there.
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
    /// True if a smaller file might do.
    var isForWantOfSpace: Bool { [.diskFull, .quotaExceeded, .fileTooLarge].contains(code) }
}
