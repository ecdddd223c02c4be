// SPDX-License-Identifier: MIT

#if HAVE_AV_CODECS
import CoreAudioTypes

enum IMA4 {
    static let framesPerPacket = 64
    static let bytesPerChannel = 34

    /// Returns the format with its unspecified fields.
    static func complete(
        _ format: AudioStreamBasicDescription, to verb: String
    ) throws(CodecError) -> AudioStreamBasicDescription {
        let channels = format.mChannelsPerFrame
        guard 1...2 ~= channels else {
            throw CodecError(
                .unsupportedFormat, cannot: verb, format, "\(channels) channels, libavcodec takes 1 or 2")
        }
        var complete = format
        if format.mFramesPerPacket == 0 { complete.mFramesPerPacket = UInt32(framesPerPacket) }
        if format.mBytesPerPacket == 0 { complete.mBytesPerPacket = UInt32(bytesPerChannel) * channels }
        guard Int(complete.mFramesPerPacket) == framesPerPacket,
            complete.mBytesPerPacket == UInt32(bytesPerChannel) * channels
        else {
            throw CodecError(
                .invalidFormat, cannot: verb, format,
                "\(complete.mFramesPerPacket) frames in "
                    + "\(complete.mBytesPerPacket) bytes are not 64 in 34 for each of \(channels) channels")
        }
        return complete
    }
}
#endif
