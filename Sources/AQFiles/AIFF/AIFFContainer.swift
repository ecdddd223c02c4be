// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The container AIFF for big-endian integers, or AIFF-C for all other samples.
struct AIFFContainer: ChunkContainer {
    var layout: ChunkLayout
    private let frameBytes: Int64
    private let framesOffset: Int

    /// - Parameter type: `.aiff` or `.aiffC`.
    init(_ samples: PCMSamples, type: AudioFileType) throws(AudioFileError) {
        let compression = try Compression(of: samples, in: type)
        var header = HeaderBytes()
        header.append("FORM")
        header.append(big: UInt32(0))
        if compression == nil {
            header.append("AIFFCOMM")
        } else {
            header.append("AIFCFVER")
            header.append(big: UInt32(4))
            header.append(big: Self.version)
            header.append("COMM")
        }
        header.append(big: UInt32(18 + (compression?.contents.count ?? 0)))
        header.append(big: UInt16(truncatingIfNeeded: samples.channels))
        framesOffset = header.count
        header.append(big: UInt32(0))
        // A code of G.711 stands for a sample of 16 bits.
        header.append(big: UInt16(truncatingIfNeeded: samples.law == nil ? samples.bits : 16))
        header.append(raw: Self.extended(samples.sampleRate).bytes)
        header.append(raw: compression?.contents.bytes ?? [])
        // The usual order of one or two channels is not written.
        if samples.channels > 2 || !samples.hasUsualLabels {
            let layout = CAFChannelLayout.bytes(of: samples.labels)
            header.append("CHAN")
            header.append(big: UInt32(layout.count))
            header.append(raw: layout)
        }
        // The offset and block size before the samples are 0.
        layout = ChunkLayout(
            .aiff, lead: header,
            soundHeader: ChunkGrammar.aiff.header(ChunkGrammar.aiff.sound, contentsBytes: 0)
                + [UInt8](repeating: 0, count: 8))
        frameBytes = Int64(samples.frameBytes)
    }

    var renewedBytes: Range<Int> { 4..<header.count - 8 }

    /// The largest size of the audio, limited by the length field of the outermost chunk.
    var maximumDataBytes: Int64? {
        Int64(UInt32.max) - 1 - Int64(header.count - 8) - 1 - Int64(layout.trailingBytes)
    }

    func renew(_ header: inout HeaderBytes, dataBytes: Int64, trailerBytes: Int) {
        header.set(
            big: UInt32(clamping: Int64(header.count - 8) + dataBytes + Int64(trailerBytes)),
            at: renewedBytes.lowerBound)
        header.set(big: UInt32(clamping: dataBytes / frameBytes), at: framesOffset)
        header.set(big: UInt32(clamping: dataBytes + 8), at: renewedBytes.upperBound - 4)
    }

    /// Sets the largest length, because no value means an unknown length; readers stop at the end of the file.
    func leaveOpen(_ header: inout HeaderBytes) {
        renew(&header, dataBytes: (maximumDataBytes ?? 0) / frameBytes * frameBytes, trailerBytes: 0)
    }

    func textChunks(_ metadata: FileMetadata) throws(AudioFileError) -> [AudioFileChunkContents]? {
        try ChunkMetadata.aiffChunks(metadata)
    }

    /// Converts a rate to an 80-bit IEEE 754 extended number; exact for any rate.
    private static func extended(_ rate: Double) -> HeaderBytes {
        var field = HeaderBytes()
        field.append(big: UInt16(truncatingIfNeeded: 16383 + Int(rate.exponent)))
        // In this format the leading bit of the significand is explicit.
        field.append(big: 1 << 63 | rate.significandBitPattern << 11)
        return field
    }

    /// The only version of AIFF-C.
    private static let version: UInt32 = 0xA280_5140

    /// AIFF-C's description of the samples.
    private struct Compression {
        let contents: HeaderBytes

        /// Makes the description; nil for samples that plain AIFF supports.
        init?(of samples: PCMSamples, in type: AudioFileType) throws(AudioFileError) {
            if samples.law == nil { try samples.requireSigned(in: type) }
            let isSwapped = type == .aiffC && samples.bits == 16 && !samples.isBigEndian
            if !isSwapped { try samples.require(bigEndian: true, in: type) }
            var contents = HeaderBytes()
            switch (samples.isFloat, samples.bits) {
            case _ where samples.law == kAudioFormatULaw: contents.append("ulaw\u{0B}G.711 u-law")
            case _ where samples.law == kAudioFormatALaw: contents.append("alaw\u{0B}G.711 A-law")
            case (true, 32): contents.append("fl32\u{15}32-bit floating point")
            case (true, _): contents.append("fl64\u{15}64-bit floating point")
            case (false, _) where isSwapped: contents.append("sowt\u{0D}little-endian")
            case (false, _) where type == .aiffC: contents.append("NONE\u{0E}not compressed")
            case (false, _): return nil
            }
            // The name with its length byte is padded to an even size.
            if contents.count % 2 != 0 { contents.append(raw: [0]) }
            self.contents = contents
        }
    }
}
