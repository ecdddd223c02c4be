// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The contents of a WAVE file's 'fmt ' chunk.
struct WaveFormat {
    let description: AudioStreamBasicDescription
    /// The label of each channel, if the chunk contains them; otherwise empty.
    let channelLabels: [AudioChannelLabel]

    /// - Throws: `damaged` for contradictions, `unsupported` for codings and values that are not supported.
    init(_ fields: FieldReader) throws(AudioFileError) {
        guard let fileTag = fields.uint16(at: 0), let channels = fields.uint16(at: 2).map(Int.init),
            let rate = fields.uint32(at: 4), let blockBytes = fields.uint16(at: 12).map(Int.init),
            let bits = fields.uint16(at: 14).map(Int.init)
        else {
            throw AudioFileError(.damaged, "its WAVE format has only \(fields.bytes.count) bytes")
        }
        try StreamLimits.check(sampleRate: Double(rate), channels: channels)
        var tag = fileTag
        var labels: [AudioChannelLabel] = []
        if fileTag == Self.extensibleTag {
            guard let mask = fields.uint32(at: 20), let subtag = Self.subtag(fields) else {
                throw AudioFileError(.unsupported, "its extensible format names an unknown codec")
            }
            tag = subtag
            labels = Self.labels(mask: mask, channels: channels)
        }
        let order = fields.isBigEndian
        switch tag {
        case Self.pcmTag:
            let bytes = try Self.sampleBytes(bits: bits, channels: channels, blockBytes: blockBytes)
            description =
                bytes == 1
                ? .unsignedInteger(
                    bits: 8, isBigEndian: false, channels: channels, sampleRate: Double(rate))
                : .signedInteger(
                    bits: 8 * bytes, isBigEndian: order, channels: channels, sampleRate: Double(rate))
        case Self.floatTag where bits == 32 || bits == 64:
            description = .float(
                bits: bits, isBigEndian: order, channels: channels, sampleRate: Double(rate))
        case Self.aLawTag, Self.muLawTag:
            description = .g711(
                tag == Self.aLawTag ? kAudioFormatALaw : kAudioFormatULaw, channels: channels,
                sampleRate: Double(rate))
        default:
            throw AudioFileError(.unsupported, "coding \(tag) of \(bits) bits has no packets of a known size")
        }
        channelLabels = labels
    }

    /// The size of a PCM sample in the file.
    private static func sampleBytes(
        bits: Int, channels: Int, blockBytes: Int
    ) throws(AudioFileError) -> Int {
        let least = (bits + 7) / 8
        guard 1...4 ~= least else { throw AudioFileError(.unsupported, "PCM of \(bits) bits is not parsed") }
        // In wider containers, some files use the high bits and others the low bits.
        guard blockBytes == 0 || blockBytes == least * channels else {
            throw AudioFileError(
                .unsupported, "PCM of \(bits) bits in frames of \(blockBytes) bytes is not parsed")
        }
        return least
    }

    /// The coding named by an extensible format; nil if it is not one of Microsoft's.
    private static func subtag(_ fields: FieldReader) -> UInt16? {
        guard fields.uint16(at: 28) == 0, fields.uint16(at: 30) == 0x10,
            fields.bytes.dropFirst(32).starts(with: [0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71])
        else { return nil }
        return fields.uint32(at: 24).flatMap { UInt16(exactly: $0) }
    }

    /// The labels for a mask's bits, lowest first; empty if there is not one per channel.
    private static func labels(mask: UInt32, channels: Int) -> [AudioChannelLabel] {
        let labels = (0..<18 as Range<UInt32>).filter { mask >> $0 & 1 == 1 }.map { $0 + 1 }
        return labels.count == channels ? labels : []
    }

    private static let pcmTag: UInt16 = 1
    private static let floatTag: UInt16 = 3
    static let aLawTag: UInt16 = 6
    static let muLawTag: UInt16 = 7
    private static let extensibleTag: UInt16 = 0xFFFE
}

/// The limits of sizes declared in a header.
enum StreamLimits {
    static func check(sampleRate: Double, channels: Int) throws(AudioFileError) {
        if let fault = FormatLimits.fault(sampleRate: sampleRate, channels: channels) {
            throw AudioFileError(.unsupported, "it has \(fault)")
        }
    }

    /// The largest part of a header that is collected.
    static let headerPartBytes: Int64 = 64 << 20
    /// The largest packet that is collected.
    static let packetBytes = 16 << 20
    /// The largest size collected to examine packets before the audio is ready.
    static let examinedBytes = 256 << 10
}

extension AudioStreamBasicDescription {
    /// Makes the format of µ-law or A-law: one byte per sample.
    static func g711(
        _ formatID: AudioFormatID, channels: Int, sampleRate: Double
    ) -> AudioStreamBasicDescription {
        var description = encoded(
            formatID, bytesPerPacket: channels, framesPerPacket: 1, channels: channels, sampleRate: sampleRate
        )
        description.mBytesPerFrame = UInt32(clamping: channels)
        description.mBitsPerChannel = 8
        return description
    }
}
