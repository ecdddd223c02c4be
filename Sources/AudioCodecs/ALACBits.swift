#if HAVE_AV_CODECS
import CoreAudioTypes

/// The bits of a source that the flags of Apple Lossless tell.
enum ALACBits {
    /// 16, 20, 24 or 32; nil if the flags do not say.
    static func of(_ format: AudioStreamBasicDescription) -> Int? {
        switch format.mFormatFlags {
        case kAppleLosslessFormatFlag_16BitSourceData: 16
        case kAppleLosslessFormatFlag_20BitSourceData: 20
        case kAppleLosslessFormatFlag_24BitSourceData: 24
        case kAppleLosslessFormatFlag_32BitSourceData: 32
        default: nil
        }
    }
}
#endif
