// SPDX-License-Identifier: MIT

import CAQAudioToolbox
import CoreAudioTypes
import AQMagicCookies

#if HAVE_MPEG_AUDIO
import AQMPEGAudio
#endif

extension FormatAnswers {
    /// Completes a description that has at least the format ID.
    ///
    /// - Parameters:
    ///   - question: The description, in the memory of the answer.
    ///   - cookie: The stream's magic cookie; empty if there is none.
    /// - Throws: `kAudioFormatBadPropertySizeError` for memory that is too small for a description,
    ///   `kAudioFormatUnsupportedDataFormatError` for an unknown format, or if the cookie belongs to another
    ///   format.
    @unsafe
    static func formatInfo(
        _ question: UnsafeRawBufferPointer, cookie: [UInt8]
    ) throws(StatusError) -> PropertyAnswer {
        guard question.count >= MemoryLayout<AudioStreamBasicDescription>.size else {
            throw StatusError(kAudioFormatBadPropertySizeError)
        }
        // SAFETY: the description is inside the memory; any bits are a description.
        let asked = unsafe question.loadUnaligned(as: AudioStreamBasicDescription.self)
        guard cookie.isEmpty else {
            let layers = try FormatLayers(format: asked, cookie: cookie)
            // The ID of an extension selects its layer; otherwise the layer that every decoder supports.
            let layer = layers.formats.first { $0.mFormatID == asked.mFormatID } ?? layers.base
            return .one(layer)
        }
        guard let complete = asked.completed else {
            throw StatusError(kAudioFormatUnsupportedDataFormatError)
        }
        return .one(complete)
    }

    /// The name of a format, as the tools print it.
    static func formatName(_ specifier: FormatSpecifier) throws(StatusError) -> PropertyAnswer {
        let format = try specifier.value(AudioStreamBasicDescription.self)
        guard format.mFormatID != 0 else { throw StatusError(kAudioFormatUnsupportedDataFormatError) }
        return .text(format.summary)
    }

    /// Returns that a format is not encrypted: no known format is.
    static func isEncrypted(_ specifier: FormatSpecifier) throws(StatusError) -> PropertyAnswer {
        _ = try specifier.value(AudioFormatID.self)
        return .flag(false)
    }

    /// The format of the base layer in an MPEG-4 descriptor.
    static func descriptionFromESDS(_ specifier: FormatSpecifier) throws(StatusError) -> PropertyAnswer {
        guard !specifier.isEmpty else { throw StatusError(kAudioFormatBadSpecifierSizeError) }
        let bytes = specifier.bytes
        if let descriptor = try? ElementaryStreamDescriptor(bytes: bytes),
            descriptor.objectTypeIndication == 0x69 || descriptor.objectTypeIndication == 0x6B
        {
            // Only the packets of MPEG audio state the remaining fields.
            return .one(
                AudioStreamBasicDescription.encoded(
                    kAudioFormatMPEGLayer3, framesPerPacket: 0, channels: 0, sampleRate: 0))
        }
        guard let config = try? AACCookie.audioSpecificConfig(inCookie: bytes) else {
            throw StatusError(kAudioFormatUnsupportedDataFormatError)
        }
        return .one(FormatLayers(config: config).base)
    }

    /// The order of the channels in the packets of an MPEG-4 descriptor.
    static func layoutFromESDS(_ specifier: FormatSpecifier) throws(StatusError) -> PropertyAnswer {
        guard !specifier.isEmpty else { throw StatusError(kAudioFormatBadSpecifierSizeError) }
        guard let config = try? AACCookie.audioSpecificConfig(inCookie: specifier.bytes) else {
            throw StatusError(kAudioFormatUnsupportedDataFormatError)
        }
        return .bytes(ChannelLayout.publishedBytes(tag: FormatLayers(config: config).baseTag))
    }

    /// The format that a packet of MPEG audio, or of AAC with its ADTS header, states.
    static func descriptionFromPacket(
        _ specifier: FormatSpecifier
    ) throws(StatusError) -> PropertyAnswer {
        let bytes = specifier.bytes
        guard bytes.count >= 4 else { throw StatusError(kAudioFormatBadSpecifierSizeError) }
        #if HAVE_MPEG_AUDIO
        if let header = MPEGFrameHeader(bits: bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }) {
            let formats = [kAudioFormatMPEGLayer1, kAudioFormatMPEGLayer2, kAudioFormatMPEGLayer3]
            return .one(
                AudioStreamBasicDescription.encoded(
                    formats[header.layer - 1], framesPerPacket: header.samplesPerFrame,
                    channels: header.channels, sampleRate: Double(header.sampleRate)))
        }
        #endif
        if let header = ADTSHeader(bytes: bytes),
            let config = try? header.audioSpecificConfig(packet: bytes.dropFirst(header.headerBytes))
        {
            return .one(config.format)
        }
        throw StatusError(kAudioFormatUnsupportedDataFormatError)
    }
}
