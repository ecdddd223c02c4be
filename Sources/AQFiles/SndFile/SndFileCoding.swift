// SPDX-License-Identifier: MIT

import CAQSndFile
import CoreAudioTypes

/// The format of a file opened by libsndfile, and the method of reading its samples.
struct SndFileCoding {
    enum Access {
        /// The file's own bytes.
        case raw
        /// The library's decoded samples, without bits that the coding does not have.
        case int8, int16, int24, int32, float32

        /// The size of a sample from the library; 0 for raw samples.
        var libraryBytes: Int {
            switch self {
            case .raw: 0
            case .int8, .int16: 2
            case .int24, .int32, .float32: 4
            }
        }

        /// Whether the library's samples are wider than needed.
        var isNarrowed: Bool { self == .int8 || self == .int24 }
    }

    let access: Access
    let format: AudioStreamBasicDescription
    let containerName: String
    let isLossy: Bool
    /// The coding in the file; nil for PCM, and for samples that are read unchanged.
    let decodedCodec: String?

    /// - Parameters:
    ///   - isBigEndian: The byte order that the library reports for raw samples longer than a byte.
    ///   - exactRate: The rate in the file, which the library rounds to whole hertz; nil if there is none.
    init(info: SF_INFO, isBigEndian: Bool, exactRate: Double? = nil) {
        let container = info.format & CInt(SF_FORMAT_TYPEMASK)
        let coding = info.format & CInt(SF_FORMAT_SUBMASK)
        containerName = Self.name(ofContainer: container)
        isLossy = !Self.exactCodings.contains { CInt($0) == coding }
        let isPlain = Self.plainContainers.contains { CInt($0) == container }
        let whole = Double(info.samplerate)
        let rate = exactRate.flatMap { abs($0 - whole) < 1 ? $0 : nil } ?? whole
        if isPlain, let raw = Self.rawFormat(coding, isBigEndian: isBigEndian) {
            access = .raw
            decodedCodec = nil
            format = Self.describe(raw, info: info, rate: rate)
        } else {
            access = Self.decodedAccess(coding)
            decodedCodec = Int(container) == SF_FORMAT_FLAC ? "FLAC" : Self.codecNames[Int(coding)]
            let signed = kAudioFormatFlagIsSignedInteger
            let native = kAudioFormatFlagsNativeEndian
            let (flags, bits): (AudioFormatFlags, UInt32) =
                switch access {
                case .float32: (kAudioFormatFlagIsFloat | native, 32)
                case .int32: (signed | native, 32)
                // Narrowed by the reader, lowest byte first.
                case .int24: (signed, 24)
                case .int8: (signed, 8)
                case .int16, .raw: (signed | native, 16)
                }
            format = Self.describe(
                (kAudioFormatLinearPCM, flags | kAudioFormatFlagIsPacked, bits), info: info, rate: rate)
        }
    }

    /// The containers with contiguous frames, so that the bytes are the packets.
    private static let plainContainers = [
        SF_FORMAT_WAV, SF_FORMAT_WAVEX, SF_FORMAT_RF64, SF_FORMAT_W64, SF_FORMAT_AIFF, SF_FORMAT_AU,
        SF_FORMAT_CAF,
    ]

    private static let codecNames = [
        SF_FORMAT_ULAW: "G.711 µ-law", SF_FORMAT_ALAW: "G.711 A-law",
        SF_FORMAT_IMA_ADPCM: "IMA ADPCM", SF_FORMAT_MS_ADPCM: "Microsoft ADPCM",
        SF_FORMAT_GSM610: "GSM 6.10", SF_FORMAT_VOX_ADPCM: "Dialogic ADPCM",
        SF_FORMAT_NMS_ADPCM_16: "NMS ADPCM of 16 kbit/s", SF_FORMAT_NMS_ADPCM_24: "NMS ADPCM of 24 kbit/s",
        SF_FORMAT_NMS_ADPCM_32: "NMS ADPCM of 32 kbit/s", SF_FORMAT_G721_32: "G.721 ADPCM of 32 kbit/s",
        SF_FORMAT_G723_24: "G.723 ADPCM of 24 kbit/s", SF_FORMAT_G723_40: "G.723 ADPCM of 40 kbit/s",
        SF_FORMAT_DWVW_12: "DWVW of 12 bits", SF_FORMAT_DWVW_16: "DWVW of 16 bits",
        SF_FORMAT_DWVW_24: "DWVW of 24 bits", SF_FORMAT_DWVW_N: "DWVW",
        SF_FORMAT_DPCM_8: "DPCM of 8 bits", SF_FORMAT_DPCM_16: "DPCM of 16 bits",
        SF_FORMAT_VORBIS: "Vorbis", SF_FORMAT_OPUS: "Opus",
        SF_FORMAT_ALAC_16: "Apple Lossless", SF_FORMAT_ALAC_20: "Apple Lossless",
        SF_FORMAT_ALAC_24: "Apple Lossless", SF_FORMAT_ALAC_32: "Apple Lossless",
    ]

    private static let exactCodings = [
        SF_FORMAT_PCM_S8, SF_FORMAT_PCM_U8, SF_FORMAT_PCM_16, SF_FORMAT_PCM_24, SF_FORMAT_PCM_32,
        SF_FORMAT_FLOAT, SF_FORMAT_DOUBLE, SF_FORMAT_ALAC_16, SF_FORMAT_ALAC_20, SF_FORMAT_ALAC_24,
        SF_FORMAT_ALAC_32, SF_FORMAT_DWVW_12, SF_FORMAT_DWVW_16, SF_FORMAT_DWVW_24, SF_FORMAT_DWVW_N,
        SF_FORMAT_DPCM_8, SF_FORMAT_DPCM_16,
    ]

    /// The format, flags and bits per channel of samples that can be read unchanged; nil if they cannot.
    private static func rawFormat(
        _ coding: CInt, isBigEndian: Bool
    ) -> (AudioFormatID, AudioFormatFlags, UInt32)? {
        let packed = kAudioFormatFlagIsPacked
        let order = isBigEndian ? kAudioFormatFlagIsBigEndian : 0
        let signed = kAudioFormatFlagIsSignedInteger
        switch Int(coding) {
        case SF_FORMAT_PCM_U8: return (kAudioFormatLinearPCM, packed, 8)
        case SF_FORMAT_PCM_S8: return (kAudioFormatLinearPCM, packed | signed, 8)
        case SF_FORMAT_PCM_16: return (kAudioFormatLinearPCM, packed | signed | order, 16)
        case SF_FORMAT_PCM_24: return (kAudioFormatLinearPCM, packed | signed | order, 24)
        case SF_FORMAT_PCM_32: return (kAudioFormatLinearPCM, packed | signed | order, 32)
        case SF_FORMAT_FLOAT: return (kAudioFormatLinearPCM, packed | kAudioFormatFlagIsFloat | order, 32)
        case SF_FORMAT_DOUBLE: return (kAudioFormatLinearPCM, packed | kAudioFormatFlagIsFloat | order, 64)
        case SF_FORMAT_ULAW: return (kAudioFormatULaw, 0, 8)
        case SF_FORMAT_ALAW: return (kAudioFormatALaw, 0, 8)
        default: return nil
        }
    }

    /// The smallest sample type that holds all bits of the coding.
    private static func decodedAccess(_ coding: CInt) -> Access {
        switch Int(coding) {
        case SF_FORMAT_PCM_S8, SF_FORMAT_PCM_U8: .int8
        case SF_FORMAT_PCM_24, SF_FORMAT_ALAC_20, SF_FORMAT_ALAC_24, SF_FORMAT_DWVW_24: .int24
        case SF_FORMAT_PCM_32, SF_FORMAT_ALAC_32, SF_FORMAT_DWVW_N: .int32
        case SF_FORMAT_FLOAT, SF_FORMAT_DOUBLE, SF_FORMAT_VORBIS, SF_FORMAT_OPUS, SF_FORMAT_MPEG_LAYER_I,
            SF_FORMAT_MPEG_LAYER_II, SF_FORMAT_MPEG_LAYER_III:
            .float32
        default: .int16
        }
    }

    private static func describe(
        _ kind: (id: AudioFormatID, flags: AudioFormatFlags, bits: UInt32), info: SF_INFO, rate: Double
    ) -> AudioStreamBasicDescription {
        let bytesPerFrame = UInt32(clamping: info.channels) * (kind.bits / 8)
        return AudioStreamBasicDescription(
            mSampleRate: rate, mFormatID: kind.id, mFormatFlags: kind.flags,
            mBytesPerPacket: bytesPerFrame, mFramesPerPacket: 1, mBytesPerFrame: bytesPerFrame,
            mChannelsPerFrame: UInt32(clamping: info.channels), mBitsPerChannel: kind.bits, mReserved: 0)
    }

    private static func name(ofContainer container: CInt) -> String {
        switch Int(container) {
        case SF_FORMAT_WAV, SF_FORMAT_WAVEX: "WAVE"
        case SF_FORMAT_RF64: "RF64"
        case SF_FORMAT_W64: "Wave64"
        case SF_FORMAT_AIFF: "AIFF"
        case SF_FORMAT_AU: "AU"
        case SF_FORMAT_CAF: "CAF"
        case SF_FORMAT_FLAC: "FLAC"
        case SF_FORMAT_OGG: "Ogg"
        default: libraryName(ofContainer: container)
        }
    }

    private static func libraryName(ofContainer container: CInt) -> String {
        var info = unsafe SF_FORMAT_INFO(format: container, name: nil, extension: nil)
        let status = unsafe sf_command(
            nil, CInt(SFC_GET_FORMAT_INFO), &info, CInt(MemoryLayout<SF_FORMAT_INFO>.size))
        guard status == 0, let name = unsafe info.name else { return "sound file" }
        return unsafe String(cString: name)
    }
}
