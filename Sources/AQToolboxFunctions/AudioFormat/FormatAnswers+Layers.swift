// SPDX-License-Identifier: MIT

import AQCodecs
import CAQAudioToolbox
import CoreAudioTypes

extension FormatAnswers {
    /// The formats that a stream with a format and a cookie can be decoded as.
    static func formatList(_ specifier: FormatSpecifier) throws(StatusError) -> PropertyAnswer {
        let (format, cookie) = try formatAndCookie(specifier)
        return try .many(FormatLayers(format: format, cookie: cookie).items)
    }

    /// The linear PCM formats of a stream's decoders.
    ///
    /// - Throws: `kAudioFormatUnsupportedDataFormatError` if none of the stream's layers can be decoded.
    static func outputFormatList(_ specifier: FormatSpecifier) throws(StatusError) -> PropertyAnswer {
        let (format, cookie) = try formatAndCookie(specifier)
        let layers = try FormatLayers(format: format, cookie: cookie)
        let items = layers.formats.compactMap { layer -> AudioFormatListItem? in
            guard let decoder = try? makePacketDecoder(for: layer, magicCookie: cookie) else { return nil }
            let output = decoder.outputFormat
            let labels = DecodedChannelOrder.labels(of: layer, magicCookie: cookie)
            let tag = labels.flatMap(ChannelLayoutTags.tag(of:))
            return AudioFormatListItem(
                mASBD: output,
                mChannelLayoutTag: tag ?? FormatLayers.usualTag(channels: output.mChannelsPerFrame))
        }
        guard !items.isEmpty else { throw StatusError(kAudioFormatUnsupportedDataFormatError) }
        return .many(items)
    }

    /// The index of the first format in a list that can be decoded here.
    ///
    /// - Throws: `kAudioFormatUnsupportedDataFormatError` if there is no such format.
    static func firstPlayableFormat(_ specifier: FormatSpecifier) throws(StatusError) -> PropertyAnswer {
        let items = try specifier.values(AudioFormatListItem.self)
        guard
            let index = items.firstIndex(where: {
                CodecAvailability.decoder(of: $0.mASBD.mFormatID).isAvailable
            })
        else { throw StatusError(kAudioFormatUnsupportedDataFormatError) }
        return .one(UInt32(clamping: index))
    }

    /// Copies a format and its cookie from the client's memory.
    private static func formatAndCookie(
        _ specifier: FormatSpecifier
    ) throws(StatusError) -> (AudioStreamBasicDescription, [UInt8]) {
        let info = try unsafe specifier.value(AudioFormatInfo.self)
        let format = unsafe info.mASBD
        let cookieBytes = unsafe Int(info.mMagicCookieSize)
        guard cookieBytes > 0 else { return (format, []) }
        guard cookieBytes <= mostCookieBytes else { throw StatusError(kAudio_ParamError) }
        // Declared as never null, but null in many programs.
        let address = unsafe UInt(bitPattern: info.mMagicCookie)
        guard let start = unsafe UnsafeRawPointer(bitPattern: address) else {
            throw StatusError(kAudio_ParamError)
        }
        // SAFETY: the client guarantees the stated size of the cookie.
        return unsafe (format, Array(UnsafeRawBufferPointer(start: start, count: cookieBytes)))
    }

    /// The limit of a cookie's size in bytes, which no real cookie reaches.
    private static let mostCookieBytes = 1 << 20
}
