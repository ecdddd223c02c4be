// SPDX-License-Identifier: MIT

import CAQAudioToolbox
import CoreAudioTypes

/// The supply of an input procedure: blocks of packets, one a call.
@safe final class BlockGiver {
    /// The number of packets provided so far.
    var blocks: [[UInt8]]
    /// The procedure's result when no block is left: `noErr` ends the stream.
    var statusWithoutBlock: OSStatus = noErr
    /// True to copy into the given memory, false to point at its own memory.
    var isCopying = false
    /// True to keep the number of packets if no bytes are provided.
    var leavesPackets = false
    /// True for packets of varying size: each block is one.
    var isDescribed = false
    /// Called first in the procedure.
    var onCall: () -> Void = {}
    private(set) var calls = 0

    private let bytesPerPacket: Int
    // SAFETY: the last block, which the converter reads until the next call; freed by it, or by deinit.
    private var given = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private let description = UnsafeMutablePointer<AudioStreamPacketDescription>.allocate(capacity: 1)

    init(_ blocks: [[UInt8]], bytesPerPacket: Int) {
        self.blocks = blocks
        self.bytesPerPacket = bytesPerPacket
    }

    /// Provides packets of varying size.
    convenience init(packets: [[UInt8]]) {
        self.init(packets, bytesPerPacket: 1)
        isDescribed = true
    }

    deinit {
        unsafe given.deallocate()
        unsafe description.deallocate()
    }

    /// For the procedure's user data; this object must outlive its use.
    var context: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

    fileprivate func give(
        _ packets: UnsafeMutablePointer<UInt32>, _ list: UnsafeMutablePointer<AudioBufferList>,
        _ descriptions: UnsafeMutablePointer<UnsafeMutablePointer<AudioStreamPacketDescription>?>?
    ) -> OSStatus {
        calls += 1
        onCall()
        guard let block = blocks.first else {
            unsafe list.pointee.mBuffers.mDataByteSize = 0
            if !leavesPackets { unsafe packets.pointee = 0 }
            return statusWithoutBlock
        }
        blocks.removeFirst()
        let target: UnsafeMutableRawBufferPointer
        if isCopying, let memory = unsafe list.pointee.mBuffers.mData {
            let room = unsafe Int(list.pointee.mBuffers.mDataByteSize)
            unsafe target = UnsafeMutableRawBufferPointer(start: memory, count: min(room, block.count))
            if target.count < block.count { blocks.insert(Array(block[target.count...]), at: 0) }
        } else {
            unsafe given.deallocate()
            unsafe given = .allocate(byteCount: block.count, alignment: 1)
            unsafe target = given
        }
        unsafe target.copyBytes(from: block.prefix(target.count))
        unsafe list.pointee.mBuffers.mData = target.baseAddress
        unsafe list.pointee.mBuffers.mDataByteSize = UInt32(target.count)
        unsafe packets.pointee = isDescribed ? 1 : UInt32(target.count / bytesPerPacket)
        if isDescribed {
            unsafe description.initialize(
                to: AudioStreamPacketDescription(
                    mStartOffset: 0, mVariableFramesInPacket: 0, mDataByteSize: UInt32(target.count)))
            unsafe descriptions?.pointee = description
        }
        return noErr
    }
}

/// The procedure, whose user data is a ``BlockGiver/context``.
func giveBlock(
    _ converter: AudioConverterRef, _ packets: UnsafeMutablePointer<UInt32>,
    _ list: UnsafeMutablePointer<AudioBufferList>,
    _ descriptions: UnsafeMutablePointer<UnsafeMutablePointer<AudioStreamPacketDescription>?>?,
    _ context: UnsafeMutableRawPointer?
) -> OSStatus {
    guard let context = unsafe context else { return kAudio_ParamError }
    return unsafe Unmanaged<BlockGiver>.fromOpaque(context).takeUnretainedValue().give(
        packets, list, descriptions)
}
