// SPDX-License-Identifier: MIT

import CoreAudioTypes
import AQMagicCookies

/// The coding of a track's samples: format, magic cookie and channel labels.
struct MP4Coding {
    var format: AudioStreamBasicDescription
    var magicCookie: [UInt8] = []
    var channelLabels: [AudioChannelLabel]

    /// Reads a sample description.
    ///
    /// - Parameters:
    ///   - timescale: The track's time scale; used as the sampling rate if the description states none.
    ///   - sampleDuration: The duration of the first sample, which determines the packets of MPEG audio.
    /// - Throws: `unsupported` for codings that are unknown or not supported; `damaged` for contradictory descriptions.
    init(
        _ description: MP4SoundDescription, timescale: Int64, sampleDuration: Int64
    ) throws(AudioFileError) {
        let rate = description.sampleRate > 0 ? description.sampleRate : Double(timescale)
        switch description.type.description {
        case "'mp4a'":
            try self.init(
                elementaryStream: description, rate: rate, timescale: timescale,
                sampleDuration: sampleDuration)
        case "'alac'":
            try self.init(appleLossless: description)
        case "'.mp3'", "0x6D730055":
            self.init(
                mpegAudio: description, rate: rate, timescale: timescale, sampleDuration: sampleDuration)
        case "'ulaw'": self.init(description, kAudioFormatULaw, 1, 1, rate)
        case "'alaw'": self.init(description, kAudioFormatALaw, 1, 1, rate)
        case "'ima4'": self.init(description, kAudioFormatAppleIMA4, 34, 64, rate)
        default:
            guard let linear = Self.linearPCM(description, rate: rate) else {
                throw AudioFileError(.unsupported, "\(Self.name(of: description.type)) is not supported")
            }
            self.init(linear, description)
        }
        // Excessive values make a description invalid too.
        if let failure = format.validationFailure { throw AudioFileError(.unsupported, failure) }
    }

    /// Makes a coding of a format, with the description's channel labels if they fit, or else in the usual order.
    private init(_ format: AudioStreamBasicDescription, _ description: MP4SoundDescription) {
        self.format = format
        let channels = Int(clamping: format.mChannelsPerFrame)
        let labels = description.channelLabels
        channelLabels =
            labels?.count == channels ? labels ?? [] : ChannelLabels.defaults(channels: min(channels, 1024))
    }

    /// Makes a coding with packets of constant size, given in bytes per channel.
    private init(
        _ description: MP4SoundDescription, _ formatID: AudioFormatID, _ bytesPerChannel: Int, _ frames: Int,
        _ rate: Double
    ) {
        self.init(
            .encoded(
                formatID, bytesPerPacket: bytesPerChannel * description.channels, framesPerPacket: frames,
                channels: description.channels, sampleRate: rate), description)
    }

    private init(appleLossless description: MP4SoundDescription) throws(AudioFileError) {
        guard let box = description.box("alac") else {
            throw AudioFileError(.damaged, "its ALAC has no configuration")
        }
        do {
            // The version and flags of the box come first.
            let config = try ALACSpecificConfig(bytes: box.part(from: 4).array)
            self.init(config.format, description)
            magicCookie = config.bytes
            channelLabels = Self.mpegLabels(channels: config.channels, of: kAudioFormatAppleLossless)
            if let tag = config.channelLayoutTag, let layout = try? ChannelLayout(tag: tag),
                layout.channels == config.channels
            {
                channelLabels = layout.labels
            }
        } catch { throw AudioFileError(.damaged, error.message) }
    }

    private init(
        elementaryStream description: MP4SoundDescription, rate: Double, timescale: Int64,
        sampleDuration: Int64
    ) throws(AudioFileError) {
        guard let esds = description.box("esds") else {
            throw AudioFileError(.damaged, "its audio has no stream descriptor")
        }
        do {
            let stream = try ElementaryStreamDescriptor(bytes: esds.part(from: 4).array)
            switch stream.objectTypeIndication {
            case 0x40, 0x66, 0x67, 0x68: break
            case 0x69, 0x6B:
                self.init(
                    mpegAudio: description, rate: rate, timescale: timescale, sampleDuration: sampleDuration)
                return
            case let other:
                let name = Self.streamNames[other] ?? "audio of coding 0x" + String(other, radix: 16)
                throw AudioFileError(.unsupported, "\(name) in an MPEG-4 file is not supported")
            }
            let config = try AACCookie.audioSpecificConfig(inCookie: stream.bytes)
            self.init(config.format, description)
            magicCookie = stream.bytes
            channelLabels = Self.mpegLabels(channels: Int(format.mChannelsPerFrame), of: format.mFormatID)
        } catch let error as MagicCookieError {
            throw AudioFileError(.damaged, error.message)
        } catch let error as AudioFileError {
            throw error
        } catch {
            throw AudioFileError(.damaged, "its stream descriptor cannot be read")
        }
    }

    /// The configuration of AAC; nil for other codings.
    static func config(format: AudioStreamBasicDescription, magicCookie: [UInt8]) -> AudioSpecificConfig? {
        guard format.mFormatID == kAudioFormatMPEG4AAC || format.mFormatID == kAudioFormatMPEG4AAC_HE else {
            return nil
        }
        return try? AACCookie.audioSpecificConfig(inCookie: magicCookie)
    }

    /// Makes the coding of AAC whose packets show extensions that were not announced; nil if they show none.
    init?(found config: AudioSpecificConfig, insteadOf announced: AudioSpecificConfig) {
        guard config != announced else { return nil }
        format = config.format
        magicCookie = AACCookie.cookie(for: config)
        channelLabels = Self.mpegLabels(channels: Int(format.mChannelsPerFrame), of: format.mFormatID)
    }

    private init(
        mpegAudio description: MP4SoundDescription, rate: Double, timescale: Int64, sampleDuration: Int64
    ) {
        // Layer III has half the frames below 32 kHz; correct durations show this too.
        let stated = timescale > 0 ? (Double(sampleDuration) * rate / Double(timescale)).rounded() : 0
        let frames = stated == 576 || stated == 1152 ? Int(stated) : rate < 32_000 ? 576 : 1152
        self.init(
            .encoded(
                kAudioFormatMPEGLayer3, framesPerPacket: frames, channels: description.channels,
                sampleRate: rate), description)
    }

    /// Returns the channel labels in the order of MPEG-4, which ALAC uses too.
    static func mpegLabels(channels: Int, of codec: AudioFormatID) -> [AudioChannelLabel] {
        let tag = PacketChannelOrder.tag(channels: channels, of: codec)
        return tag.flatMap { try? ChannelLayout(tag: $0).labels }
            ?? ChannelLabels.defaults(channels: channels)
    }

    private static let streamNames: [UInt8: String] = [
        0xA5: "AC-3", 0xA6: "Enhanced AC-3", 0xA9: "DTS", 0xAD: "Opus", 0xDD: "Vorbis", 0xE1: "QCELP",
    ]

    private static func name(of type: FourCharacterCode) -> String {
        switch type.description {
        case "'enca'", "'drms'": "encrypted audio"
        case "'ac-3'": "AC-3 in an MPEG-4 file"
        case "'ec-3'": "Enhanced AC-3 in an MPEG-4 file"
        case "'ac-4'": "AC-4 in an MPEG-4 file"
        case "'Opus'": "Opus in an MPEG-4 file"
        case "'fLaC'": "FLAC in an MPEG-4 file"
        case "'samr'", "'sawb'": "AMR in an MPEG-4 file"
        case "'dtsc'", "'dtsh'", "'dtsl'", "'dtse'": "DTS in an MPEG-4 file"
        case let other: "audio of type \(other) in an MPEG-4 file"
        }
    }
}
