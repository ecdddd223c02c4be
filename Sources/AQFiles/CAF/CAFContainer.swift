// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// A Core Audio Format file of linear PCM, or of other packets of constant size.
struct CAFContainer: PCMContainer {
    private var written: CAFWrittenHeader
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

    /// - Parameter channelLabels: The label of each channel; nil if the format implies the labels.
    init(
        _ format: AudioStreamBasicDescription, channelLabels: [AudioChannelLabel]?
    ) throws(AudioFileError) {
        contents = CAFFileHeader(format, channelLabels: channelLabels)
        // Packets of one frame are never partly filled, so they rarely need a packet table.
        if format.mFramesPerPacket > 1 { contents.tableRoomBytes = 0 }
        written = try contents.laidOut()
    }

    var header: HeaderBytes { written.bytes }

    /// The range of the audio's length and of the fields of a packet table before it, which change as the file grows.
    var renewedBytes: Range<Int> {
        let fields = written.table.map { $0.lowerBound + CAFChunkHeader.bytes }
        return (fields ?? written.lengthOffset)..<written.lengthOffset + 8
    }

    func renew(_ header: inout HeaderBytes, dataBytes: Int64, trailerBytes: Int) {
        if let fields = written.table.map({ $0.lowerBound + CAFChunkHeader.bytes }) {
            let bytes = tableHeader(dataBytes: dataBytes).bytes
            for index in bytes.indices { header.set(little: bytes[index], at: fields + index) }
        }
        header.set(big: CAFChunkHeader.editCountBytes + dataBytes, at: written.lengthOffset)
    }

    func leaveOpen(_ header: inout HeaderBytes) {
        // The values of the packet table are not known.
        if let table = written.table { header.set("free", at: table.lowerBound) }
        header.set(big: Int64(-1), at: written.lengthOffset)
    }

    /// Makes a packet table after the audio, without entries because all packets have one size.
    func trailer(dataBytes: Int64) -> [UInt8] {
        guard packetTable != nil, written.table == nil else { return [] }
        var trailer = HeaderBytes()
        CAFFileHeader.append(.pakt, tableHeader(dataBytes: dataBytes).bytes, to: &trailer)
        return trailer.bytes
    }

    private func tableHeader(dataBytes: Int64) -> CAFPacketTableHeader {
        let format = contents.format
        let frames = dataBytes / Int64(format.mBytesPerPacket) * Int64(format.mFramesPerPacket)
        let table = packetTable ?? PacketTable(primingFrames: 0, validFrames: frames, remainderFrames: 0)
        return CAFPacketTableHeader(packets: 0, frames: table.fitted(to: frames))
    }

    mutating func set(_ setting: FileSetting, isStream: Bool) throws(AudioFileError) {
        written = try contents.set(setting)
    }

    mutating func setPacketTable(_ table: PacketTable) throws(AudioFileError) {
        try table.checkFitsCAF()
        // QUIRK: libavformat takes a table without entries for a duration of 0, so a table is written only if it is
        // needed.
        let isNeeded =
            contents.format.mFramesPerPacket > 1 || table.primingFrames != 0 || table.remainderFrames != 0
        packetTable = isNeeded ? table : nil
    }
}
