// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The contents of an AIFF file's 'COMM' chunk.
struct AIFFCommon {
    let description: AudioStreamBasicDescription
    /// The number of frames in the file; for 'ima4', of packets.
    let packets: Int64

    init(_ fields: FieldReader, isCompressed: Bool) throws(AudioFileError) {
        guard let channels = fields.uint16(at: 0).map(Int.init), let frames = fields.uint32(at: 2),
            let bits = fields.uint16(at: 6).map(Int.init), let rate = fields.float80(at: 8)
        else {
            throw AudioFileError(.damaged, "its AIFF format has only \(fields.bytes.count) bytes")
        }
        packets = Int64(frames)
        try StreamLimits.check(sampleRate: rate, channels: channels)
        let coding = isCompressed ? fields.mark(at: 18) : "NONE"
        description = try Self.format(coding: coding, bits: bits, channels: channels, rate: rate)
    }

    private static func format(
        coding: String, bits: Int, channels: Int, rate: Double
    ) throws(AudioFileError) -> AudioStreamBasicDescription {
        func integers(_ bytes: Int, isBigEndian: Bool) -> AudioStreamBasicDescription {
            .signedInteger(
                bits: 8 * bytes, isBigEndian: isBigEndian && bytes > 1, channels: channels, sampleRate: rate)
        }
        switch coding {
        case "NONE" where 1...32 ~= bits, "twos" where 1...32 ~= bits, "sowt" where 1...32 ~= bits:
            return integers((bits + 7) / 8, isBigEndian: coding != "sowt")
        case "in24": return integers(3, isBigEndian: true)
        case "in32": return integers(4, isBigEndian: true)
        case "42ni": return integers(3, isBigEndian: false)
        case "23ni": return integers(4, isBigEndian: false)
        case "raw ":
            return .unsignedInteger(bits: 8, isBigEndian: false, channels: channels, sampleRate: rate)
        case "fl32", "FL32": return .float(bits: 32, isBigEndian: true, channels: channels, sampleRate: rate)
        case "fl64", "FL64": return .float(bits: 64, isBigEndian: true, channels: channels, sampleRate: rate)
        case "ulaw", "ULAW": return .g711(kAudioFormatULaw, channels: channels, sampleRate: rate)
        case "alaw", "ALAW": return .g711(kAudioFormatALaw, channels: channels, sampleRate: rate)
        case "ima4":
            return .encoded(
                kAudioFormatAppleIMA4, bytesPerPacket: 34 * channels, framesPerPacket: 64, channels: channels,
                sampleRate: rate)
        default:
            throw AudioFileError(.unsupported, "coding '\(coding)' of \(bits) bits is not known")
        }
    }
}
