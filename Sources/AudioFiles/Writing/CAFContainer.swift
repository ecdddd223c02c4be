import CoreAudioTypes

/// Core Audio Format with linear PCM, or with other packets that all have one size.
struct CAFContainer: PCMContainer {
    private(set) var header: HeaderBytes
    private var contents: CAFFileHeader
    private var packetTable: PacketTable?

    init(_ samples: PCMSamples) throws(AudioFileError) {
        try samples.requireSigned(in: .caf)
        let format: AudioStreamBasicDescription =
            samples.isFloat
            ? .float(
                bits: samples.bits, isBigEndian: samples.isBigEndian, channels: samples.channels,
                sampleRate: samples.sampleRate)
            : .signedInteger(
                bits: samples.bits, isBigEndian: samples.isBigEndian, channels: samples.channels,
                sampleRate: samples.sampleRate)
        try self.init(format, channelLabels: samples.labels)
    }

    /// - Parameter channelLabels: Nil to leave it to the format what the channels are for.
    init(
        _ format: AudioStreamBasicDescription, channelLabels: [AudioChannelLabel]?
    ) throws(AudioFileError) {
        contents = CAFFileHeader(format, channelLabels: channelLabels)
        header = try contents.bytes()
    }

    var renewedBytes: Range<Int> {
        let offset = CAFFileHeader.lengthOffset(in: header)
        return offset..<offset + 8
    }

    var maximumDataBytes: Int64? { nil }

    func renew(_ header: inout HeaderBytes, dataBytes: Int64, trailerBytes: Int) {
        header.set(big: CAFChunkHeader.editCountBytes + dataBytes, at: renewedBytes.lowerBound)
    }

    func leaveOpen(_ header: inout HeaderBytes) {
        header.set(big: Int64(-1), at: renewedBytes.lowerBound)
    }

    /// The packet table, without entries as all packets have one size.
    func trailer(dataBytes: Int64) -> [UInt8] {
        let format = contents.format
        let frames = dataBytes / Int64(format.mBytesPerPacket) * Int64(format.mFramesPerPacket)
        // Of single frames, none can be missing from a packet.
        guard packetTable != nil || format.mFramesPerPacket > 1 else { return [] }
        let table = packetTable ?? PacketTable(primingFrames: 0, validFrames: frames, remainderFrames: 0)
        var trailer = HeaderBytes()
        CAFFileHeader.append(
            .pakt, CAFPacketTableHeader(packets: 0, frames: table.fitted(to: frames)).bytes, to: &trailer)
        return trailer.bytes
    }

    mutating func setMagicCookie(_ cookie: [UInt8]) throws(AudioFileError) {
        var changed = contents
        changed.magicCookie = cookie
        header = try changed.bytes()
        contents = changed
    }

    mutating func setInformation(_ information: [AudioFileInformation]) throws(AudioFileError) {
        var changed = contents
        changed.information = information
        header = try changed.bytes()
        contents = changed
    }

    mutating func setPacketTable(_ table: PacketTable) throws(AudioFileError) {
        try table.checkFitsCAF()
        // QUIRK: libavformat takes a table without entries for one of no duration. Where it has nothing to tell,
        // there is none.
        let isNeeded =
            contents.format.mFramesPerPacket > 1 || table.primingFrames != 0 || table.remainderFrames != 0
        packetTable = isNeeded ? table : nil
    }
}
