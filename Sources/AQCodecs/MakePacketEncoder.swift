// SPDX-License-Identifier: MIT

public import CoreAudioTypes

/// Makes the encoder of a format.
///
/// AAC of low complexity and MP3 are encoded from 32-bit float, Apple Lossless from 16 or 24 bits, G.711 and IMA 4:1
/// from 16 bits. Channels of AAC and Apple Lossless are expected in the order of ``DecodedChannelOrder``.
///
/// - Parameters:
///   - output: The format of the packets: format ID, sample rate and channels; for linear PCM all fields. Otherwise the
///     encoder determines other fields that are 0.
///   - settings: The settings of the encoder. A bit rate that the codec does not have becomes the nearest one.
/// - Throws: ``CodecError/Code/invalidFormat`` if `output` contradicts itself, ``CodecError/Code/unsupportedFormat``
///   if there is no encoder for it, or not with this rate, these channels or these settings.
///   ``CodecAvailability/encoder(of:)`` returns in advance whether there is an encoder.
public func makePacketEncoder(
    for output: AudioStreamBasicDescription, settings: CodecSettings = CodecSettings()
) throws(CodecError) -> any PacketEncoder {
    if output.isLinearPCM || output.isG711 { return try ConstantPacketEncoder(outputFormat: output) }
    if let failure = output.validationFailure {
        throw CodecError(.invalidFormat, cannot: "encode", output, failure)
    }
    if let reason = CodecAvailability.encoder(of: output.mFormatID).reason {
        throw CodecError(.unsupportedFormat, cannot: "encode", output, reason)
    }
    #if HAVE_AV_CODECS
    switch AVCodecID(output.mFormatID) {
    case .aac: return try AVPacketEncoder.aac(outputFormat: output, settings: settings)
    case .alac: return try AVPacketEncoder.alac(outputFormat: output, settings: settings)
    case .ima4: return try AVPacketEncoder.ima4(outputFormat: output)
    case .mp3: return try AVPacketEncoder.mp3(outputFormat: output, settings: settings)
    case nil: break
    }
    #endif
    throw CodecError(.unsupportedFormat, cannot: "encode", output, "no encoder for it")
}
