public import CoreAudioTypes

/// Makes the decoder of a format, and chooses what it decodes to.
///
/// Linear PCM is decoded to the smallest of 8 bits unsigned, 16, 24 and 32 bits signed, and 32-bit float that
/// keeps every bit of it (64-bit float is rounded to 32); A-law and µ-law to 16 bits; MPEG audio to float.
///
/// - Parameters:
///   - input: The format of the packets, interleaved if it is linear PCM of several channels.
///   - magicCookie: What the codec needs to know of the stream beside `input`. No codec here needs any; a
///     cookie that comes along is passed over.
/// - Throws: ``CodecError/Code/invalidFormat`` if `input` contradicts itself,
///   ``CodecError/Code/unsupportedFormat`` if there is no decoder for it.
public func makePacketDecoder(
    for input: AudioStreamBasicDescription, magicCookie: [UInt8] = []
) throws(CodecError) -> any PacketDecoder {
    if let failure = input.validationFailure {
        throw CodecError(.invalidFormat, "cannot decode \(input.encodingSummary): \(failure)")
    }
    if input.isLinearPCM { return try LinearPCMDecoder(inputFormat: input) }
    if input.isG711 { return try G711Decoder(inputFormat: input) }
    if input.isMPEGAudio {
        #if HAVE_MPEG_AUDIO
        return try MPEGPacketDecoder(inputFormat: input)
        #else
        throw CodecError(
            .unsupportedFormat,
            "cannot decode \(input.encodingSummary): unsupported, built without MPEG audio")
        #endif
    }
    throw CodecError(.unsupportedFormat, "cannot decode \(input.encodingSummary): no decoder for it")
}
