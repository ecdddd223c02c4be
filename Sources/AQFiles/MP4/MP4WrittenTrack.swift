// SPDX-License-Identifier: MIT

import CoreAudioTypes
import AQMagicCookies

/// The boxes of a file with one audio track, for writing.
struct MP4WrittenTrack {
    let sampleRate: UInt32
    let framesPerPacket: UInt32
    /// The box that describes the samples (`mp4a` or `alac`).
    private(set) var sampleEntry: [UInt8] = []
    /// Whether the codec is AAC, whose trims are also stored as a note for players.
    let isAAC: Bool

    /// Makes a track with the decoder configuration implied by the format.
    ///
    /// - Throws: `unsupported` for formats that MPEG-4 cannot hold.
    init(_ format: AudioStreamBasicDescription) throws(AudioFileError) {
        let rate = format.mSampleRate.rounded()
        guard Self.formats.contains(format.mFormatID) else {
            throw AudioFileError(.unsupported, "MPEG-4 cannot hold packets of \(format.summary)")
        }
        guard format.mFramesPerPacket > 0, rate >= 1, rate < 4_294_967_296, rate == format.mSampleRate else {
            throw AudioFileError(
                .unsupported,
                "MPEG-4 cannot hold packets of \(format.mFramesPerPacket) frames at \(format.mSampleRate) Hz")
        }
        sampleRate = UInt32(rate)
        framesPerPacket = format.mFramesPerPacket
        isAAC = format.mFormatID != kAudioFormatAppleLossless
        do {
            sampleEntry = try isAAC ? Self.entry(usualAAC: format) : Self.entry(usualALAC: format)
        } catch { throw AudioFileError(.unsupported, error.message) }
    }

    /// Sets the decoder configuration from the encoder.
    ///
    /// - Throws: `unsupported` if the cookie cannot be read, or is for another format.
    mutating func setMagicCookie(
        _ cookie: [UInt8], for format: AudioStreamBasicDescription
    ) throws(AudioFileError) {
        let described: AudioStreamBasicDescription
        let entry: [UInt8]
        do throws(MagicCookieError) {
            if isAAC {
                let config = try AACCookie.audioSpecificConfig(inCookie: cookie)
                described = config.format
                // A descriptor may contain the bit rate, a bare configuration does not.
                let stream = try? ElementaryStreamDescriptor(bytes: cookie)
                entry = Self.entry(aac: stream?.bytes ?? AACCookie.cookie(for: config), format)
            } else {
                let config = try ALACSpecificConfig(bytes: cookie)
                described = config.format
                entry = Self.entry(alac: config)
            }
        } catch { throw AudioFileError(.unsupported, error.message) }
        guard described.mSampleRate == format.mSampleRate,
            described.mChannelsPerFrame == format.mChannelsPerFrame,
            described.mFramesPerPacket == format.mFramesPerPacket
        else {
            throw AudioFileError(
                .unsupported, "its cookie is for \(described.summary), its packets are \(format.summary)")
        }
        sampleEntry = entry
    }

    private static let formats: Set<AudioFormatID> = [
        kAudioFormatMPEG4AAC, kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2, kAudioFormatAppleLossless,
    ]

    private static func entry(
        usualAAC format: AudioStreamBasicDescription
    ) throws(MagicCookieError) -> [UInt8] {
        let channels = Int(format.mChannelsPerFrame)
        let rate = Int(format.mSampleRate)
        var config: AudioSpecificConfig
        switch format.mFormatID {
        case kAudioFormatMPEG4AAC_HE:
            config = try AudioSpecificConfig(sampleRate: rate / 2, channels: channels)
            (config.extensionObjectType, config.extensionSampleRate) = (5, rate)
        case kAudioFormatMPEG4AAC_HE_V2:
            config = try AudioSpecificConfig(sampleRate: rate / 2, channels: 1)
            (config.extensionObjectType, config.extensionSampleRate) = (29, rate)
        default:
            config = try AudioSpecificConfig(sampleRate: rate, channels: channels)
            config.framesPerPacket = Int(format.mFramesPerPacket)
        }
        return entry(aac: AACCookie.cookie(for: config), format)
    }

    private static func entry(
        usualALAC format: AudioStreamBasicDescription
    ) throws(MagicCookieError) -> [UInt8] {
        entry(
            alac: try ALACSpecificConfig(
                sampleRate: Int(format.mSampleRate), channels: Int(format.mChannelsPerFrame),
                bitDepth: ALACSpecificConfig.bitDepth(of: format) ?? 16,
                frameLength: Int(format.mFramesPerPacket)))
    }

    private static func entry(aac cookie: [UInt8], _ format: AudioStreamBasicDescription) -> [UInt8] {
        var bytes = HeaderBytes()
        bytes.appendBox("mp4a") {
            appendSoundFields(&$0, channels: format.mChannelsPerFrame, bits: 16, rate: format.mSampleRate)
            $0.appendBox("esds") {
                $0.append(big: UInt32(0))
                $0.append(raw: cookie)
            }
        }
        return bytes.bytes
    }

    private static func entry(alac config: ALACSpecificConfig) -> [UInt8] {
        var bytes = HeaderBytes()
        bytes.appendBox("alac") {
            appendSoundFields(
                &$0, channels: UInt32(clamping: config.channels), bits: UInt16(clamping: config.bitDepth),
                rate: Double(config.sampleRate))
            $0.appendBox("alac") {
                $0.append(big: UInt32(0))
                $0.append(raw: config.bytes)
            }
        }
        return bytes.bytes
    }

    /// Appends the start of each sound description (ISO/IEC 14496-12, 12.2.3).
    private static func appendSoundFields(
        _ bytes: inout HeaderBytes, channels: UInt32, bits: UInt16, rate: Double
    ) {
        bytes.append(raw: [0, 0, 0, 0, 0, 0])
        bytes.append(big: UInt16(1))
        bytes.append(big: UInt64(0))
        bytes.append(big: UInt16(clamping: channels))
        bytes.append(big: bits)
        bytes.append(big: UInt32(0))
        // The field is too small for high rates, which are in the decoder's configuration.
        bytes.append(big: rate < 65_536 ? UInt32(rate) << 16 : 0)
    }
}
