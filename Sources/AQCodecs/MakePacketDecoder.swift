// SPDX-License-Identifier: MIT

public import CoreAudioTypes

/// Makes the decoder of a format, and chooses its output format.
///
/// Linear PCM is decoded to the smallest output format that keeps every bit: 8 bits unsigned, 16, 24 or 32 bits signed,
/// or 32-bit float. 64-bit float is rounded to 32. A-law, µ-law and IMA 4:1 are decoded to 16 bits, MPEG audio, AAC and
/// Opus to float, and Apple Lossless of 16 bits to 16, of 20 or 24 bits to 24, and of 32 bits to 32. Channels of AAC, Opus
/// and Apple Lossless are in the order of ``DecodedChannelOrder``.
///
/// - Parameters:
///   - input: The format of the packets, interleaved if it is linear PCM of several channels. If AAC, Apple Lossless or
///     IMA 4:1 has 0 frames in a packet, the decoder determines this number.
///   - magicCookie: The codec's parameters of the stream: for AAC an ES descriptor or an AudioSpecificConfig, for Apple
///     Lossless its configuration, for Opus its header. If empty, the usual parameters are assumed. Other codecs ignore
///     the cookie.
/// - Throws: ``CodecError/Code/invalidFormat`` if `input` contradicts itself, ``CodecError/Code/invalidCookie`` if
///   the cookie is damaged or describes another stream than `input`, ``CodecError/Code/unsupportedFormat`` if there
///   is no decoder for `input`, ``CodecError/Code/decoderFailed`` if memory is insufficient.
public func makePacketDecoder(
    for input: AudioStreamBasicDescription, magicCookie: [UInt8] = []
) throws(CodecError) -> any PacketDecoder {
    if let failure = input.validationFailure {
        throw CodecError(.invalidFormat, cannot: "decode", input, failure)
    }
    if input.isLinearPCM { return try LinearPCMDecoder(inputFormat: input) }
    if input.isG711 { return G711Decoder(inputFormat: input) }
    if input.isMPEGAudio {
        #if HAVE_MPEG_AUDIO
        return try MPEGPacketDecoder(inputFormat: input)
        #else
        throw CodecError(.unsupportedFormat, cannot: "decode", input, "unsupported, built without MPEG audio")
        #endif
    }
    if input.mFormatID == kAudioFormatOpus {
        return try OpusPacketDecoder(inputFormat: input, magicCookie: magicCookie)
    }
    #if HAVE_AV_CODECS
    switch AVCodecID(input.mFormatID) {
    case .aac: return try AVPacketDecoder.aac(inputFormat: input, magicCookie: magicCookie)
    case .alac: return try AVPacketDecoder.alac(inputFormat: input, magicCookie: magicCookie)
    case .ima4: return try AVPacketDecoder.ima4(inputFormat: input)
    case .mp3, nil: break
    }
    #endif
    throw CodecError(
        .unsupportedFormat, cannot: "decode", input,
        CodecAvailability.decoder(of: input.mFormatID).reason ?? "no decoder for it")
}
