// SPDX-License-Identifier: MIT

/// The settings of an encoder in addition to its format.
///
/// An encoder ignores settings that it does not use, for example the bit rate if it is lossless.
public struct CodecSettings: Sendable, Equatable {
    /// The encoder's effort, from fastest to best.
    ///
    /// The values are those of the published constants `kAudioConverterQuality_Min` to `…Max`.
    public enum Quality: UInt32, Sendable, CaseIterable {
        case minimum = 0
        case low = 0x20
        case medium = 0x40
        case high = 0x60
        case maximum = 0x7F
    }

    /// The bit rate of the whole stream, in bits per second; nil for the encoder's default.
    ///
    /// The corresponding C property is `kAudioConverterEncodeBitRate`.
    public var bitRate: Int?
    /// The encoder's effort; nil for the encoder's default.
    ///
    /// The corresponding C property is `kAudioConverterCodecQuality`.
    public var quality: Quality?
    /// The bit depth of a lossless encoder: 16 or 24, or 20, which is encoded as 24. Nil for 16; in an
    /// ``AudioConverter``, for a depth that keeps the bits of the input, up to 24. Ignored if the format's flags state
    /// the depth.
    ///
    /// The corresponding C property is `kAudioConverterPropertyBitDepthHint`.
    public var bitDepth: Int?

    /// Makes settings. For those that are nil, the encoder uses its defaults.
    public init(bitRate: Int? = nil, quality: Quality? = nil, bitDepth: Int? = nil) {
        self.bitRate = bitRate
        self.quality = quality
        self.bitDepth = bitDepth
    }
}
