// SPDX-License-Identifier: MIT

import CoreAudioTypes
import AQTestSupport

@testable import AQFiles

/// The output of a stream for some bytes.
struct StreamRecord: Equatable {
    var bytes: [UInt8] = []
    /// Bytes of each packet, or nothing for packets of one size.
    var sizes: [UInt32] = []
    var packets = 0
    var properties: [AudioFileStream.Property] = []
    var failure: AudioFileStreamError?
    var warnings: [String] = []

    /// The properties of the stream at its end.
    var fileType: AudioFileType?
    var formatID: AudioFormatID?
    var cookie: [UInt8]?
    var labels: [AudioChannelLabel]?
    var packetTable: PacketTable?
    var packetCount: Int64?
    var dataOffset: Int64?
    var dataByteCount: Int64?
    var upperBound: Int?
    var bitRate: Double?
    var information: [AudioFileInformation] = []

    /// Parses bytes in pieces, to the end.
    init(_ input: [UInt8], pieceBytes: Int, typeHint: AudioFileType? = nil) {
        let recorder = StreamRecorder(typeHint: typeHint)
        do throws(AudioFileStreamError) {
            try recorder.parse(input, pieceBytes: pieceBytes)
            try recorder.stream.finish()
        } catch { recorder.record.failure = error }
        self = recorder.finished
    }

    init() {}
}

extension StreamRecord {
    /// The difference from another record; nil if there is none. Records themselves are too long to print.
    func difference(from other: StreamRecord) -> String? {
        guard self != other else { return nil }
        var (short, otherShort) = (self, other)
        (short.bytes, short.sizes, otherShort.bytes, otherShort.sizes) = ([], [], [], [])
        let places = bytes.count == other.bytes.count && bytes != other.bytes ? ", with other bytes" : ""
        return "\(bytes.count) and \(other.bytes.count) bytes\(places), \(sizes.count) and "
            + "\(other.sizes.count) sizes, \(short) and \(otherShort)"
    }
}

/// A stream that keeps its output.
final class StreamRecorder {
    var record = StreamRecord()
    private(set) var stream: AudioFileStream
    /// The largest number of bytes at once.
    private(set) var largestBatchBytes = 0

    init(typeHint: AudioFileType? = nil) {
        stream = unsafe AudioFileStream(
            typeHint: typeHint, onProperty: { _, _ in }, onPackets: { _, _, _, _ in })
        stream = unsafe AudioFileStream(
            typeHint: typeHint,
            onProperty: { [unowned self] _, property in record.properties.append(property) },
            onPackets: { [unowned self] _, bytes, packets, descriptions in
                unsafe take(bytes, packets, descriptions)
            })
    }

    private func take(
        _ bytes: UnsafeRawBufferPointer, _ packets: Int,
        _ descriptions: UnsafeBufferPointer<AudioStreamPacketDescription>?
    ) {
        record.packets += packets
        largestBatchBytes = max(largestBatchBytes, bytes.count)
        guard let descriptions = unsafe descriptions else {
            unsafe record.bytes.append(contentsOf: bytes)
            return
        }
        for packet in 0..<packets {
            let place = unsafe descriptions[packet]
            record.sizes.append(place.mDataByteSize)
            let start = Int(place.mStartOffset)
            unsafe record.bytes.append(contentsOf: bytes[start..<start + Int(place.mDataByteSize)])
        }
    }

    func parse(_ input: [UInt8], pieceBytes: Int = .max) throws(AudioFileStreamError) {
        var start = 0
        while start < input.count {
            let end = start + min(pieceBytes, input.count - start)
            try stream.feed(input[start..<end])
            start = end
        }
    }

    var finished: StreamRecord {
        var record = record
        record.warnings = stream.warnings
        record.fileType = stream.fileType
        record.formatID = stream.format?.mFormatID
        record.cookie = stream.magicCookie
        record.labels = stream.channelLabels
        record.packetTable = stream.packetTable
        record.packetCount = stream.packetCount
        record.dataOffset = stream.dataOffset
        record.dataByteCount = stream.dataByteCount
        record.upperBound = stream.packetSizeUpperBound
        record.bitRate = stream.bitRate
        record.information = stream.information
        return record
    }
}

/// The sizes that streams are cut into.
let pieceSizes = [1, 7, 1000, 100_000]

extension AudioFileStream {
    func feed(_ bytes: ArraySlice<UInt8>, isDiscontinuous: Bool = false) throws(AudioFileStreamError) {
        var failure: AudioFileStreamError?
        unsafe bytes.withUnsafeBytes { bytes in
            do throws(AudioFileStreamError) {
                try unsafe parse(bytes, isDiscontinuous: isDiscontinuous)
            } catch { failure = error }
        }
        if let failure { throw failure }
    }
}
