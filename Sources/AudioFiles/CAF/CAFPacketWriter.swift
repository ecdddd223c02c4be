import CoreAudioTypes

/// Writes packets that vary in size or frames to Core Audio Format.
///
/// After every append the file counts its packets; see ``CAFGrowingFile``.
final class CAFPacketWriter: PacketWriter {
    private let format: AudioStreamBasicDescription
    private let file: CAFGrowingFile
    private var header: CAFFileHeader
    /// The table that was set, perhaps before all packets were appended.
    private var packetTable: PacketTable?
    /// The frames of the counted packets, including priming and remainder.
    private var totalFrames: Int64 = 0
    /// The error that ended writing; already thrown.
    private var failure: AudioFileError?

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
        self.file = CAFGrowingFile(file)
        try self.file.begin(with: try header.laidOut())
    }

    var frameCount: Int64 { file.frames.validFrames }

    var byteCount: Int64 { file.byteCount }

    var maximumFrameCount: Int64? { nil }

    func append(
        _ bytes: UnsafeRawBufferPointer,
        packetDescriptions: UnsafeBufferPointer<AudioStreamPacketDescription>?
    ) throws(AudioFileError) {
        if let failure { throw failure }
        guard let descriptions = unsafe packetDescriptions else {
            guard bytes.count == 0 else {
                throw AudioFileError(.unsupported, "packets that differ in size need packet descriptions")
            }
            return
        }
        let batch = try unsafe CAFPacketBatch(descriptions, of: format, in: bytes.count)
        guard batch.count > 0 else { return }
        try attempt(batch) { () throws(AudioFileError) in
            try file.makeRoom(
                audioBytes: batch.bytes, entryBytes: batch.entries.count, packets: batch.count)
            if batch.runs.count == 1, let run = batch.runs.first {
                try unsafe file.appendAudio(UnsafeRawBufferPointer(rebasing: bytes[run]))
            } else {
                let audio = unsafe batch.runs.flatMap { unsafe bytes[$0] }
                try unsafe audio.withUnsafeBufferPointer { audio throws(AudioFileError) in
                    try unsafe file.appendAudio(UnsafeRawBufferPointer(audio))
                }
            }
            try count(batch, packets: batch.count)
        }
    }

    func setMagicCookie(_ cookie: [UInt8]) throws(AudioFileError) {
        try changeHeader("the magic cookie") { $0.magicCookie = cookie }
    }

    func setInformation(_ information: [AudioFileInformation]) throws(AudioFileError) {
        try changeHeader("the tags") { $0.information = information }
    }

    func setMarkers(_ markers: [AudioFileMarker]) throws(AudioFileError) {
        try changeHeader("the markers") { $0.markers = markers }
    }

    func setRegions(_ regions: [AudioFileRegion]) throws(AudioFileError) {
        try changeHeader("the regions") { $0.regions = regions }
    }

    func setChunks(_ chunks: [AudioFileChunkContents]) throws(AudioFileError) {
        try changeHeader("chunks before the audio") {
            $0.clientChunks = ChunkGrammar.caf.bytes(of: chunks)
        }
    }

    func setPacketTable(_ table: PacketTable) throws(AudioFileError) {
        if let failure { throw failure }
        try table.checkFitsCAF()
        packetTable = table
        try attempt { () throws(AudioFileError) in try file.setFrames(frames(of: totalFrames)) }
    }

    func close() throws(AudioFileError) {
        var unreported: AudioFileError?
        do throws(AudioFileError) {
            try file.tidy()
        } catch {
            // The file is complete, only longer than necessary.
            if error.isForWantOfSpace { try? file.cutOffSpare() } else { unreported = error }
        }
        do { try file.close() } catch { unreported = unreported ?? error }
        // One failure causes others; the first was already reported.
        if failure == nil, let unreported { throw unreported }
    }

    private func changeHeader(
        _ what: String, _ change: (inout CAFFileHeader) -> Void
    ) throws(AudioFileError) {
        if let failure { throw failure }
        guard file.packets == 0 else {
            throw AudioFileError(.unsupported, "\(what) must come before the first packet")
        }
        var changed = header
        change(&changed)
        let bytes = try changed.laidOut()
        header = changed
        try attempt { () throws(AudioFileError) in
            try file.begin(with: bytes)
            try file.setFrames(frames(of: 0))
        }
    }

    /// Performs a change of the file. After a failure it counts those packets of a batch that were completely written.
    private func attempt(
        _ batch: CAFPacketBatch? = nil, _ change: () throws(AudioFileError) -> Void
    ) throws(AudioFileError) {
        do throws(AudioFileError) {
            try change()
        } catch {
            failure = error
            if let batch {
                // The first failure is reported. The table keeps its previous count, and all those packets are present.
                try? count(batch, packets: batch.packets(within: file.uncountedBytes))
            }
            throw error
        }
    }

    private func count(_ batch: CAFPacketBatch, packets: Int) throws(AudioFileError) {
        guard packets > 0 else { return }
        let end = batch.ends[packets - 1]
        try file.count(
            packets: packets, bytes: end.bytes, entries: batch.entries[..<end.entryBytes],
            frames: frames(of: totalFrames + end.frames))
        totalFrames += end.frames
    }

    private func frames(of total: Int64) -> PacketTable {
        packetTable?.fitted(to: total)
            ?? PacketTable(primingFrames: 0, validFrames: total, remainderFrames: 0)
    }
}
