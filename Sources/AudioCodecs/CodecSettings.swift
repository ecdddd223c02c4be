/// What may be asked of an encoder beside its format.
///
/// What an encoder has no use for is passed over: bit rates of lossless ones, say.
public struct CodecSettings: Sendable, Equatable {
    /// How hard to try, from fastest to best.
    ///
    /// Has the meaning of the published constants `kAudioConverterQuality_Min` to `…Max`.
    public enum Quality: UInt32, Sendable, CaseIterable {
        case minimum = 0
        case low = 0x20
        case medium = 0x40
        case high = 0x60
        case maximum = 0x7F
    }

    /// Bits per second of the whole stream; nil is the encoder's own choice for the rate and channels.
    ///
    /// The corresponding C property is `kAudioConverterEncodeBitRate`.
    public var bitRate: Int?
    /// Of the encoder; nil is its own choice.
    ///
    /// The corresponding C property is `kAudioConverterCodecQuality`.
    public var quality: Quality?
    /// Bits of each sample that a lossless encoder keeps: 16, 20, 24 or 32; nil is those of the source.
    ///
    /// The corresponding C property is `kAudioConverterPropertyBitDepthHint`.
    public var bitDepth: Int?

    /// Makes settings; all are left to the encoder unless given.
    public init(bitRate: Int? = nil, quality: Quality? = nil, bitDepth: Int? = nil) {
        self.bitRate = bitRate
        self.quality = quality
        self.bitDepth = bitDepth
    }
}
