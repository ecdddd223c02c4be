import CoreAudioTypes

/// Core Audio Format with linear PCM.
struct CAFContainer: PCMContainer {
    private(set) var header = HeaderBytes()
    private let description: HeaderBytes
    private let layout: HeaderBytes?
    private var packetTable: PacketTable?

    init(_ samples: PCMSamples) throws(AudioFileError) {
        try samples.requireSigned(in: .caf)
        description = Self.description(of: samples)
        // The order of one or two channels goes without saying.
        layout = samples.channels <= 2 && samples.hasUsualLabels ? nil : Self.layout(of: samples.labels)
        header = try makeHeader(magicCookie: [])
    }

    var renewedBytes: Range<Int> { lengthOffset..<lengthOffset + 8 }

    var maximumDataBytes: Int64? { nil }

    func renew(_ header: inout HeaderBytes, dataBytes: Int64, trailerBytes: Int) {
        header.set(big: Self.editCountBytes + dataBytes, at: lengthOffset)
    }

    func leaveOpen(_ header: inout HeaderBytes) {
        header.set(big: Int64(-1), at: lengthOffset)
    }

    /// The packet table, without entries as all packets have one size.
    func trailer(dataBytes: Int64) -> [UInt8] {
        guard let packetTable else { return [] }
        var contents = HeaderBytes()
        contents.append(big: Int64(0))
        contents.append(big: packetTable.validFrames)
        contents.append(big: Int32(clamping: packetTable.primingFrames))
        contents.append(big: Int32(clamping: packetTable.remainderFrames))
        var trailer = HeaderBytes()
        Self.append("pakt", contents, to: &trailer)
        return trailer.bytes
    }

    mutating func setMagicCookie(_ cookie: [UInt8]) throws(AudioFileError) {
        header = try makeHeader(magicCookie: cookie)
    }

    mutating func setPacketTable(_ table: PacketTable) throws(AudioFileError) {
        guard table.validFrames >= 0, 0...Int64(Int32.max) ~= table.primingFrames,
            0...Int64(Int32.max) ~= table.remainderFrames
        else {
            throw AudioFileError(
                .unsupported,
                "a packet table of \(table.primingFrames) + \(table.validFrames) + \(table.remainderFrames) frames"
            )
        }
        packetTable = table
    }

    /// Where the length of the samples stands, before the count of edits.
    private var lengthOffset: Int { header.count - 12 }

    private func makeHeader(magicCookie: [UInt8]) throws(AudioFileError) -> HeaderBytes {
        var header = HeaderBytes()
        header.append("caff")
        header.append(big: UInt16(1))
        header.append(big: UInt16(0))
        Self.append("desc", description, to: &header)
        if let layout { Self.append("chan", layout, to: &header) }
        if !magicCookie.isEmpty {
            header.append("kuki")
            header.append(big: Int64(magicCookie.count))
            header.append(raw: magicCookie)
        }
        header.append("data")
        header.append(big: Self.editCountBytes)
        header.append(big: UInt32(0))
        // Of a length across two pages, a process that is killed might write one half.
        guard header.count <= Self.largestHeaderBytes else {
            throw AudioFileError(
                .unsupported, "a header of \(header.count) bytes is larger than \(Self.largestHeaderBytes)")
        }
        return header
    }

    private static func append(_ code: StaticString, _ contents: HeaderBytes, to header: inout HeaderBytes) {
        header.append(code)
        header.append(big: Int64(contents.count))
        header.append(raw: contents.bytes)
    }

    private static func description(of samples: PCMSamples) -> HeaderBytes {
        var contents = HeaderBytes()
        contents.append(big: samples.sampleRate.bitPattern)
        contents.append("lpcm")
        contents.append(
            big: (samples.isFloat ? floatFlag : 0) | (samples.isBigEndian ? 0 : littleEndianFlag))
        contents.append(big: UInt32(samples.frameBytes))
        contents.append(big: UInt32(1))
        contents.append(big: UInt32(samples.channels))
        contents.append(big: UInt32(samples.bits))
        return contents
    }

    /// The bytes of an `AudioChannelLayout`: by tag if one says it all, else channel by channel.
    private static func layout(of labels: [AudioChannelLabel]) -> HeaderBytes {
        let isDiscrete = labels == CoreAudioTypes.ChannelLabels.discrete(channels: labels.count)
        let tag =
            isDiscrete
            ? kAudioChannelLayoutTag_DiscreteInOrder | AudioChannelLayoutTag(labels.count)
            : ChannelLayout(labels: labels).tag
        let described = tag == kAudioChannelLayoutTag_UseChannelDescriptions ? labels : []
        var contents = HeaderBytes()
        contents.append(big: tag)
        contents.append(big: UInt32(0))
        contents.append(big: UInt32(described.count))
        for label in described {
            contents.append(big: label)
            // No flags, and so no meaning in the three coordinates.
            contents.append(raw: [UInt8](repeating: 0, count: 16))
        }
        return contents
    }

    private static let editCountBytes: Int64 = 4
    private static let largestHeaderBytes = 4096
    private static let floatFlag: UInt32 = 1
    private static let littleEndianFlag: UInt32 = 2
}
