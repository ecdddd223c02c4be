#if HAVE_AV_CODECS
import CoreAudioTypes

/// The bit depth that the flags of Apple Lossless state.
enum ALACBits {
    /// 16, 20, 24 or 32; nil if the flags do not state it.
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
