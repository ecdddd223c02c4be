// SPDX-License-Identifier: MIT

import AQFiles
import CoreAudioTypes

/// A stream parser and its whole output.
final class StreamTrace {
    /// The output that must not depend on the pieces.
    struct Facts: Equatable {
        var bytes: [UInt8] = []
        /// Bytes of each packet; empty for packets of one size.
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

    var facts: Facts { taken.facts }
    let stream: AudioFileStream

    private let taken: Taken

    init(typeHint: AudioFileType?) {
        let taken = Taken()
        self.taken = taken
        stream = unsafe AudioFileStream(
            typeHint: typeHint,
            onProperty: { _, property in taken.facts.properties.append(property) },
            onPackets: { stream, bytes, packets, descriptions in
                unsafe taken.take(stream, bytes, packets, descriptions)
            })
    }

    /// Forgets the packets so far.
    func dropPackets() { (taken.facts.bytes, taken.facts.sizes, taken.facts.packets) = ([], [], 0) }

    /// Parses bytes; false once the stream has failed.
    func parse(_ bytes: ArraySlice<UInt8>, isDiscontinuous: Bool = false) -> Bool {
        guard taken.facts.failure == nil else { return false }
        unsafe bytes.withUnsafeBytes { bytes in
            do throws(AudioFileStreamError) {
                try unsafe stream.parse(bytes, isDiscontinuous: isDiscontinuous)
            } catch { taken.facts.failure = error }
        }
        return taken.facts.failure == nil
    }

    /// Ends the stream, and records its properties.
    func finish() {
        if taken.facts.failure == nil {
            do throws(AudioFileStreamError) { try stream.finish() } catch { taken.facts.failure = error }
        }
        require(
            taken.facts.failure != nil || stream.isReadyToProducePackets, "what does not fail becomes ready")
        taken.facts.warnings = stream.warnings
        taken.facts.fileType = stream.fileType
        taken.facts.format = stream.format?.mFormatID
        taken.facts.rate = stream.format?.mSampleRate
        taken.facts.cookie = stream.magicCookie
        taken.facts.labels = stream.channelLabels
        taken.facts.packetTable = stream.packetTable
        taken.facts.packetCount = stream.packetCount
        taken.facts.dataOffset = stream.dataOffset
        taken.facts.dataByteCount = stream.dataByteCount
        taken.facts.maximumPacketSize = stream.maximumPacketSize
        taken.facts.upperBound = stream.packetSizeUpperBound
        taken.facts.bitRate = stream.bitRate
        taken.facts.information = stream.information
    }
}

/// The output that the closures of a stream received.
private final class Taken {
    var facts = StreamTrace.Facts()

    func take(
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
}
