// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The contents of the chunk `fmt ` of WAVE and Wave64 files.
enum WaveFormatChunk {
    /// - Throws: `unsupported` for samples that the file type does not support.
    static func contents(
        for samples: PCMSamples, in type: AudioFileType
    ) throws(AudioFileError) -> HeaderBytes {
        try samples.require(bigEndian: false, in: type)
        guard samples.law != nil || samples.isSigned != (samples.bits == 8) else {
            throw AudioFileError(
                .unsupported,
                "\(type.name) files hold \(samples.bits == 8 ? "un" : "")signed samples of \(samples.bits) bits"
            )
        }
        guard let rate = UInt32(exactly: samples.sampleRate) else {
            throw AudioFileError(
                .unsupported, "\(type.name) files hold whole sample rates, not \(samples.sampleRate) Hz")
        }
        let tag = tag(of: samples)
        let isExtensible = needsExtension(samples, in: type)
        var chunk = HeaderBytes()
        chunk.append(little: isExtensible ? extensibleTag : tag)
        chunk.append(little: UInt16(truncatingIfNeeded: samples.channels))
        chunk.append(little: rate)
        chunk.append(little: UInt32(clamping: UInt64(rate) * UInt64(samples.frameBytes)))
        chunk.append(little: UInt16(truncatingIfNeeded: samples.frameBytes))
        chunk.append(little: UInt16(truncatingIfNeeded: samples.bits))
        if isExtensible {
            chunk.append(little: extensionBytes)
            chunk.append(little: UInt16(truncatingIfNeeded: samples.bits))
            chunk.append(little: mask(of: samples.labels))
            chunk.append(little: tag)
            chunk.append(raw: subformatTail)
        } else if tag != integerTag {
            // All forms except plain integers have the size of their extension.
            chunk.append(little: UInt16(0))
        }
        return chunk
    }

    private static func tag(of samples: PCMSamples) -> UInt16 {
        switch samples.law {
        case kAudioFormatALaw: WaveFormat.aLawTag
        case kAudioFormatULaw: WaveFormat.muLawTag
        default: samples.isFloat ? floatTag : integerTag
        }
    }

    /// Returns whether the extensible form is required. The old form has no channel mask, and is meant for at most two
    /// channels of at most 16 bits.
    private static func needsExtension(_ samples: PCMSamples, in type: AudioFileType) -> Bool {
        // QUIRK: in the new form libsndfile 1.2 takes all samples of Wave64 for integers.
        if type == .wave64, samples.isFloat || samples.law != nil { return false }
        return samples.channels > 2 || !samples.hasUsualLabels || (!samples.isFloat && samples.bits > 16)
    }

    /// The channel mask; 0 if no mask describes the order.
    private static func mask(of labels: [AudioChannelLabel]) -> UInt32 {
        labels == [kAudioChannelLabel_Mono]
            ? centerMask : ChannelLabels.waveMask(of: labels) ?? 0
    }

    /// The size of a `fmt ` chunk without extension.
    static let plainBytes = 16
    private static let integerTag: UInt16 = 1
    private static let floatTag: UInt16 = 3
    private static let extensibleTag: UInt16 = 0xFFFE
    private static let extensionBytes: UInt16 = 22
    private static let centerMask: UInt32 = 4
    /// The bytes after the tag in the identifier of a coding.
    private static let subformatTail: [UInt8] = [
        0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71,
    ]
}
