public import CoreAudioTypes

/// Makes the encoder of a format.
///
/// - Parameters:
///   - output: What to encode to: format, sample rate and channels; 0 of the others is filled in.
///   - settings: What to ask of it.
/// - Throws: ``CodecError/Code/invalidFormat`` if `output` contradicts itself,
///   ``CodecError/Code/unsupportedFormat`` if there is no encoder for it, or not at this rate, of these
///   channels, or with these settings.
public func makePacketEncoder(
    for output: AudioStreamBasicDescription, settings: CodecSettings = CodecSettings()
) throws(CodecError) -> any PacketEncoder {
    throw CodecError(.unsupportedFormat, "cannot encode \(output.encodingSummary): no encoder for it")
}
