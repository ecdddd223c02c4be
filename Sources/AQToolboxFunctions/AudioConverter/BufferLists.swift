// SPDX-License-Identifier: MIT

import AQCodecs
import CAQAudioToolbox
import CoreAudioTypes

/// Frames of linear PCM in lists of buffers: one for each channel, or one for all.
enum BufferLists {
    static func bufferCount(of format: AudioStreamBasicDescription) -> Int {
        format.isInterleaved ? 1 : Int(format.mChannelsPerFrame)
    }

    /// Returns whether a list has the buffers of a format, each with this many frames.
    @unsafe
    static func hold(
        _ frames: Int, _ list: UnsafeMutableAudioBufferListPointer, _ format: AudioStreamBasicDescription
    ) -> Bool {
        let buffers = bufferCount(of: format)
        guard unsafe list.count >= buffers, let bytes = format.byteCount(ofFrames: frames) else {
            return false
        }
        for index in 0..<buffers {
            let buffer = unsafe list[index]
            guard unsafe Int(buffer.mDataByteSize) >= bytes, unsafe bytes == 0 || buffer.mData != nil else {
                return false
            }
        }
        return true
    }

    /// The frames of a list as a converter's input. The list must contain `frames` frames.
    @unsafe
    static func supply(
        of list: UnsafeMutableAudioBufferListPointer, frames: Int, _ format: AudioStreamBasicDescription
    ) -> AudioConverter.Supply {
        guard frames > 0 else { return unsafe .noDataNow }
        if bufferCount(of: format) > 1 { return unsafe .buffers(list, frames: frames) }
        let bytes = format.byteCount(ofFrames: frames) ?? 0
        return unsafe .packets(
            UnsafeRawBufferPointer(start: list[0].mData, count: bytes), descriptions: nil,
            packetCount: frames)
    }
}
