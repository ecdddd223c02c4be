// SPDX-License-Identifier: MIT

public import CoreAudioTypes

extension AudioFileType {
    /// Returns the linear PCM format to append to a file of this type, in the container's byte order and signedness.
    ///
    /// 8-bit samples are unsigned in WAVE, RF64 and Wave64 files, and signed in all other types. CAF and 16-bit AIFF-C
    /// files use the machine's byte order, and so do the encoders of MP3, FLAC and Ogg.
    ///
    /// - Parameters:
    ///   - bits: 8, 16, 24 or 32; for floating-point samples 32 or 64.
    ///   - isFloat: True for floating-point samples, whose full scale is -1 to 1.
    /// - Throws: `unsupported` if this file type has no such samples (ADTS and MPEG-4 have none), or the sample rate or
    ///   the number of channels is invalid.
    public func pcmFormat(
        sampleRate: Double, channels: Int, bits: Int, isFloat: Bool
    ) throws(AudioFileError) -> AudioStreamBasicDescription {
        guard holds(bits: bits, isFloat: isFloat) else {
            throw AudioFileError(
                .unsupported,
                "\(name) files cannot contain \(isFloat ? "floating-point" : "integer") samples of \(bits) bits"
            )
        }
        let isNativeBigEndian = AudioStreamBasicDescription.isNativeBigEndian
        let isBigEndian: Bool
        switch self {
        case .wave, .rf64, .wave64: isBigEndian = false
        case .aiff: isBigEndian = true
        case .aiffC: isBigEndian = bits != 16 || isNativeBigEndian
        case .caf, .mp3, .flac, .adts, .m4a, .oggVorbis, .oggOpus: isBigEndian = isNativeBigEndian
        }
        let format =
            if isFloat {
                AudioStreamBasicDescription.float(
                    bits: bits, isBigEndian: isBigEndian, channels: channels, sampleRate: sampleRate)
            } else if bits == 8, [.wave, .rf64, .wave64].contains(self) {
                AudioStreamBasicDescription.unsignedInteger(
                    bits: bits, isBigEndian: false, channels: channels, sampleRate: sampleRate)
            } else {
                // A single byte has no byte order.
                AudioStreamBasicDescription.signedInteger(
                    bits: bits, isBigEndian: isBigEndian && bits > 8, channels: channels,
                    sampleRate: sampleRate)
            }
        if let failure = format.validationFailure { throw AudioFileError(.unsupported, failure) }
        return format
    }

    private func holds(bits: Int, isFloat: Bool) -> Bool {
        switch self {
        case .wave, .rf64, .aiff, .aiffC, .caf, .wave64:
            isFloat ? [32, 64].contains(bits) : [8, 16, 24, 32].contains(bits)
        case .mp3, .oggVorbis, .oggOpus: isFloat ? bits == 32 : [16, 32].contains(bits)
        case .flac: !isFloat && [8, 16, 24].contains(bits)
        case .adts, .m4a: false
        }
    }
}
