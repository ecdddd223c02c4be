/// A file that is nothing but packets one after another, so that it is whole wherever a packet ends; there may be
/// a tag before them, which offsets do not count.
///
/// After a failure of the system what is left of the last packet is cut off, and every later append throws the
/// same error again.
struct PacketStreamFile {
    let file: OutputFile
    /// Whole packets in the file, and where the last one ends.
    private(set) var packetCount: Int64 = 0
    private(set) var endOffset: Int64 = 0
    /// What ended the writing; thrown already.
    private(set) var failure: AudioFileError?
    /// Bytes before the packets.
    private var startOffset: Int64 = 0

    init(_ file: OutputFile) { self.file = file }

    /// Writes what stands before the first packet.
    mutating func begin(with tag: [UInt8]) throws(AudioFileError) {
        if let failure { throw failure }
        do throws(AudioFileError) {
            try file.append(tag)
        } catch {
            failure = error
            // What led here is told of. If this fails too, a part of a tag stays, which readers pass over.
            if file.isSeekable { try? file.truncate(to: 0) }
            throw error
        }
        startOffset = Int64(tag.count)
    }

    /// Appends packets, which end at these distances from the beginning of `bytes`.
    ///
    /// - Parameter whole: Is told how many of the packets arrived, also if there was no room for all.
    mutating func append(
        _ bytes: [UInt8], packetEnds: [Int], whole: (Int) -> Void = { _ in }
    ) throws(AudioFileError) {
        if let failure { throw failure }
        let start = endOffset
        do throws(AudioFileError) {
            try file.append(bytes)
            note(packetEnds.count, end: start + Int64(bytes.count))
            whole(packetEnds.count)
        } catch {
            failure = error
            let arrived = file.byteCount - startOffset - start
            let count = packetEnds.firstIndex { Int64($0) > arrived } ?? packetEnds.count
            note(count, end: start + Int64(count > 0 ? packetEnds[count - 1] : 0))
            whole(count)
            // What led here is told of. If this fails too, a part of a packet stays, which readers pass over.
            if file.isSeekable { try? file.truncate(to: startOffset + endOffset) }
            throw error
        }
    }

    /// Writes bytes over others; a failure ends the writing.
    mutating func patch(_ bytes: [UInt8], at offset: Int64) throws(AudioFileError) {
        do {
            try file.patch(bytes[...], at: startOffset + offset)
        } catch {
            if failure == nil { failure = error }
            throw error
        }
    }

    private mutating func note(_ packets: Int, end: Int64) {
        packetCount += Int64(packets)
        endOffset = end
    }
}
