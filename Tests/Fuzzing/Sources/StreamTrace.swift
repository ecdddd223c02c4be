import AudioFiles
import CoreAudioTypes

/// A parser of streams, and all that came out of it.
final class StreamTrace {
    /// What must not depend on how the bytes were cut.
    struct Facts: Equatable {
        var bytes: [UInt8] = []
        /// Bytes of each packet; nothing for packets of one size.
        var sizes: [UInt32] = []
        var variableFrames: UInt64 = 0
        var packets = 0
        var properties: [AudioFileStream.Property] = []
        var failure: AudioFileStreamError?
        var warnings: [String] = []
        var fileType: AudioFileType?
        var format: AudioFormatID?
        var rate: Double?
        var cookie: [UInt8]?
        var labels: [AudioChannelLabel]?
        var packetTable: PacketTable?
        var packetCount: Int64?
        var dataOffset: Int64?
        var dataByteCount: Int64?
        var maximumPacketSize: Int?
        var upperBound: Int?
        var bitRate: Double?
        var information: [AudioFileInformation] = []
    }

    private(set) var facts = Facts()
    private(set) var stream: AudioFileStream

    init(typeHint: AudioFileType?) {
        stream = unsafe AudioFileStream(
            typeHint: typeHint, onProperty: { _, _ in }, onPackets: { _, _, _, _ in })
        stream = unsafe AudioFileStream(
            typeHint: typeHint,
            onProperty: { [unowned self] _, property in facts.properties.append(property) },
            onPackets: { [unowned self] stream, bytes, packets, descriptions in
                unsafe take(stream, bytes, packets, descriptions)
            })
    }

    /// Forgets the packets so far.
    func dropPackets() { (facts.bytes, facts.sizes, facts.packets) = ([], [], 0) }

    private func take(
        _ stream: AudioFileStream, _ bytes: UnsafeRawBufferPointer, _ packets: Int,
        _ descriptions: UnsafeBufferPointer<AudioStreamPacketDescription>?
    ) {
        require(stream.isReadyToProducePackets, "no packet comes before it is announced")
        require(packets > 0, "packets come only if there are some")
        let upperBound = stream.packetSizeUpperBound ?? 0
        let packetBytes = Int(stream.format?.mBytesPerPacket ?? 0)
        facts.packets += packets
        unsafe facts.bytes.append(contentsOf: bytes)
        guard let descriptions = unsafe descriptions else {
            require(packetBytes > 0, "packets of several sizes are described")
            require(packets * packetBytes == bytes.count, "packets have their size: \(packets)")
            return
        }
        require(descriptions.count == packets, "each packet is described")
        var end = 0
        unsafe descriptions.forEach { description in
            require(
                description.mStartOffset >= end && description.mDataByteSize <= upperBound,
                "packets are in order and within bounds: \(description), \(upperBound)")
            end = Int(description.mStartOffset) + Int(description.mDataByteSize)
            require(end <= bytes.count, "packets lie in their bytes: \(description), \(bytes.count)")
            facts.sizes.append(description.mDataByteSize)
            facts.variableFrames &+= UInt64(description.mVariableFramesInPacket)
        }
    }

    /// Parses bytes; false once the stream has failed.
    func parse(_ bytes: ArraySlice<UInt8>, isDiscontinuous: Bool = false) -> Bool {
        guard facts.failure == nil else { return false }
        unsafe bytes.withUnsafeBytes { bytes in
            do throws(AudioFileStreamError) {
                try unsafe stream.parse(bytes, isDiscontinuous: isDiscontinuous)
            } catch { facts.failure = error }
        }
        return facts.failure == nil
    }

    /// Ends the stream, and notes what it tells of itself.
    func finish() {
        if facts.failure == nil {
            do throws(AudioFileStreamError) { try stream.finish() } catch { facts.failure = error }
        }
        require(facts.failure != nil || stream.isReadyToProducePackets, "what does not fail becomes ready")
        facts.warnings = stream.warnings
        facts.fileType = stream.fileType
        facts.format = stream.format?.mFormatID
        facts.rate = stream.format?.mSampleRate
        facts.cookie = stream.magicCookie
        facts.labels = stream.channelLabels
        facts.packetTable = stream.packetTable
        facts.packetCount = stream.packetCount
        facts.dataOffset = stream.dataOffset
        facts.dataByteCount = stream.dataByteCount
        facts.maximumPacketSize = stream.maximumPacketSize
        facts.upperBound = stream.packetSizeUpperBound
        facts.bitRate = stream.bitRate
        facts.information = stream.information
    }
}
