import CoreAudioTypes

/// Writes linear PCM to a container: samples at the end of the file, then the fields that count them.
///
/// With this order the header is always correct. If a process dies between the two, the additional samples are not
/// counted, and readers ignore them.
final class PCMFileWriter<Container: PCMContainer>: PacketWriter {
    private var container: Container
    private let file: OutputFile
    /// The size of a frame, or of a packet if packets have several frames.
    private let frameBytes: Int64
    private let framesPerPacket: Int64
    private var header: HeaderBytes
    private var metadata = FileMetadata()
    /// The header of a stream is written with the first samples, because it cannot be changed later.
    private var isHeaderWritten = false
    /// The bytes of whole frames after the header, and the number of them that it counts.
    private var dataBytes: Int64 = 0
    private var countedBytes: Int64 = 0
    /// The error that ended writing; already thrown.
    private var failure: AudioFileError?

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

    var byteCount: Int64 { file.byteCount }

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
                "\(bytes.count) bytes are no whole number of \(framesPerPacket > 1 ? "packets" : "frames") of "
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
                    .containerFull, "such a file holds no more than \(frameCount) frames of this format")
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
        if let failure { throw failure }
        try unsafe file.patch(bytes, at: Int64(header.count) + byteOffset)
    }

    func shorten(toBytes bytes: Int64) throws(AudioFileError) {
        guard file.isSeekable else {
            throw AudioFileError(.unsupported, "a stream can only be written forwards")
        }
        guard 0...dataBytes ~= bytes, bytes % frameBytes == 0 else {
            throw AudioFileError(.unsupported, "\(bytes) bytes are no whole packets of those that are there")
        }
        try attempt { () throws(AudioFileError) in
            dataBytes = bytes
            // An RF64 file may become WAVE again. Data beyond the header's count is removed after it.
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

    func setMagicCookie(_ cookie: [UInt8]) throws(AudioFileError) {
        try changeHeader("the magic cookie") { (container) throws(AudioFileError) in
            try container.setMagicCookie(cookie)
        }
    }

    func setInformation(_ information: [AudioFileInformation]) throws(AudioFileError) {
        try changeMetadata("the tags") { $0.information = information }
    }

    func setArtwork(_ artwork: AudioFileArtwork) throws(AudioFileError) {
        try changeMetadata("the picture") { $0.artwork = artwork }
    }

    func setMarkers(_ markers: [AudioFileMarker]) throws(AudioFileError) {
        try changeMetadata("the markers") { $0.markers = markers }
    }

    func setRegions(_ regions: [AudioFileRegion]) throws(AudioFileError) {
        try changeMetadata("the regions") { $0.regions = regions }
    }

    func setChunks(_ chunks: [AudioFileChunkContents]) throws(AudioFileError) {
        try changeHeader("chunks before the audio") { (container) throws(AudioFileError) in
            try container.setChunks(chunks)
        }
    }

    private func changeMetadata(
        _ what: String, _ change: (inout FileMetadata) -> Void
    ) throws(AudioFileError) {
        var changed = metadata
        change(&changed)
        try changeHeader(what) { (container) throws(AudioFileError) in
            try container.setMetadata(changed, isStream: !file.isSeekable)
        }
        metadata = changed
    }

    private func changeHeader(
        _ what: String, _ change: (inout Container) throws(AudioFileError) -> Void
    ) throws(AudioFileError) {
        if let failure { throw failure }
        guard dataBytes == 0, file.isSeekable || !isHeaderWritten else {
            throw AudioFileError(.unsupported, "\(what) must come before the first packet")
        }
        try change(&container)
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

    func close() throws(AudioFileError) {
        var unreported: AudioFileError?
        do { try complete() } catch { unreported = error }
        do { try file.close() } catch { unreported = unreported ?? error }
        // One failure causes others; the first was already reported.
        if failure == nil, let unreported { throw unreported }
    }

    /// Performs a change of the file, and makes the file valid after a failure.
    private func attempt(_ change: () throws(AudioFileError) -> Void) throws(AudioFileError) {
        if let failure { throw failure }
        do throws(AudioFileError) {
            try change()
        } catch {
            failure = error
            keepWholeFrames()
            throw error
        }
    }

    /// Truncates a partly written frame, and counts those before it.
    private func keepWholeFrames() {
        guard isHeaderWritten else { return }
        let arrived = file.byteCount - Int64(header.count)
        dataBytes = arrived - arrived % frameBytes
        do {
            if file.isSeekable, dataBytes < arrived { try file.truncate(to: Int64(header.count) + dataBytes) }
            // The header already has space on the disk, so this works on a full one.
            try renewHeader()
        } catch {
            // The first failure is reported. The header keeps its old count, and all those frames are present.
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

    private func complete() throws(AudioFileError) {
        if !isHeaderWritten, failure == nil { try writeHeader() }
        guard isHeaderWritten, file.isSeekable else { return }
        let trailer = container.trailer(dataBytes: dataBytes)
        let end = Int64(header.count) + dataBytes
        if !trailer.isEmpty {
            do throws(AudioFileError) {
                // Part of a frame remains there if it could not be truncated before.
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
