// SPDX-License-Identifier: MIT

import AQGraphs
public import AudioToolbox
import CoreAudioTypes
import Foundation

/// Takes captured frames: floats with a buffer for each channel, and the time at which the first was captured.
///
/// Called on the thread that renders: it must neither wait nor allocate memory. The status is ignored.
public typealias AVAudioSinkNodeReceiverBlock = (
    UnsafePointer<AudioTimeStamp>, AVAudioFrameCount, UnsafePointer<AudioBufferList>
) -> OSStatus

/// A node that passes its input to a block, with less delay than a tap.
open class AVAudioSinkNode: AVAudioNode {
    public init(receiverBlock block: @escaping AVAudioSinkNodeReceiverBlock) {
        let list = SinkList()
        nonisolated(unsafe) let block = unsafe block
        let element = SinkElement { slice, time in
            var stamp = AudioTimeStamp()
            stamp.mSampleTime = Double(time.sampleTime)
            stamp.mHostTime = time.hostTime
            stamp.mFlags = time.hostTime == 0 ? .sampleTimeValid : [.sampleTimeValid, .hostTimeValid]
            guard let filled = unsafe list.fill(slice) else { return }
            unsafe _ = block(&stamp, UInt32(slice.frames), filled)
        }
        super.init(part: NodePart(element, .sink, inputs: 1, outputs: 0))
    }
}

/// The list that a sink's block gets.
@safe private final class SinkList: @unchecked Sendable {
    // SAFETY: only the rendering thread uses the list, which is freed by deinit.
    private static let mostChannels = 64
    private let list = unsafe AudioBufferList.allocate(maximumBuffers: SinkList.mostChannels)

    deinit { unsafe free(list.unsafeMutablePointer) }

    func fill(_ slice: PlanarSamples) -> UnsafePointer<AudioBufferList>? {
        guard slice.channels <= Self.mostChannels else { return nil }
        unsafe list.count = slice.channels
        for channel in 0..<slice.channels {
            unsafe list[channel] = unsafe AudioBuffer(
                mNumberChannels: 1, mDataByteSize: UInt32(slice.frames * 4), mData: slice[channel])
        }
        return unsafe UnsafePointer(list.unsafePointer)
    }
}
