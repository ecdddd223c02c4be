// SPDX-License-Identifier: MIT

import AQFiles
import CoreAudioTypes
import AQMagicCookies

/// The part of a file's magic cookie that affects the decoder.
///
/// Cookies also contain bit rates and packet sizes, which differ between the tracks of an album. Tracks whose other
/// fields are equal use one decoder, without a gap.
struct DecoderConfiguration: Equatable {
    let bytes: [UInt8]

    init(_ file: AudioFile) { self.init(magicCookie: file.magicCookie, format: file.format) }

    init(magicCookie: [UInt8], format: AudioStreamBasicDescription) {
        do throws(MagicCookieError) {
            switch format.mFormatID {
            case kAudioFormatMPEG4AAC, kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2:
                bytes = try AACCookie.audioSpecificConfig(inCookie: magicCookie).bytes
            case kAudioFormatAppleLossless:
                var config = try ALACSpecificConfig(bytes: magicCookie)
                (config.maxFrameBytes, config.averageBitRate) = (0, 0)
                bytes = config.bytes
            default: bytes = magicCookie
            }
        } catch {
            // The queue reports the cookie's fault. A cookie that cannot be parsed is only equal to itself.
            bytes = magicCookie
        }
    }
}
