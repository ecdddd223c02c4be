// SPDX-License-Identifier: MIT

import AQGraphs
import AudioToolbox
import CoreAudioTypes
import Foundation
import Glibc

/// Calls the block of a source node.
///
/// Used by the rendering thread.
@safe final class SourceBlock: @unchecked Sendable {
    // SAFETY: one rendering thread at a time uses the list and the memory, which is freed by deinit.

    private static let (mostChannels, mostFrames) = (64, 4_096)

    private let block: AVAudioSourceNodeRenderBlock
    /// The buffer in the block's own format; nil if the block renders floats with a buffer for each channel.
    private let own: AVAudioPCMBuffer?
    private let reader: SampleReader?
    /// The memory of the buffer.
    private let memory: [UnsafeMutableRawPointer?]
    private let list: UnsafeMutableAudioBufferListPointer

    init(_ block: @escaping AVAudioSourceNodeRenderBlock, _ format: AVAudioFormat?) {
        unsafe self.block = unsafe block
        own = format.flatMap { AVAudioPCMBuffer(pcmFormat: $0, frameCapacity: UInt32(Self.mostFrames)) }
        if let own {
            let buffers = unsafe UnsafeMutableAudioBufferListPointer(own.mutableAudioBufferList)
            unsafe reader = SampleReader(own.format.asbd, buffers)
            unsafe memory = buffers.map { unsafe $0.mData }
        } else {
            unsafe (reader, memory) = (nil, [])
        }
        unsafe list = AudioBufferList.allocate(maximumBuffers: Self.mostChannels)
    }

    deinit { unsafe free(list.unsafeMutablePointer) }

    var element: SourceElement { SourceElement { target, call in self.render(target, call) } }

    private func render(_ target: PlanarSamples, _ call: RenderCall) -> Bool {
        guard target.channels <= Self.mostChannels else {
            target.silence()
            return false
        }
        guard own != nil else { return renderDirectly(target, call.time) }
        var (done, hasSound) = (0, false)
        while done < target.frames {
            let count = min(Self.mostFrames, target.frames - done)
            let time = call.time.advanced(frames: done, sampleRate: call.format.sampleRate)
            if renderOwn(target.part(from: done, count: count), time) { hasSound = true }
            done += count
        }
        return hasSound
    }

    private func renderDirectly(_ target: PlanarSamples, _ time: SliceTime) -> Bool {
        unsafe list.count = target.channels
        for channel in 0..<target.channels {
            unsafe list[channel] = unsafe AudioBuffer(
                mNumberChannels: 1, mDataByteSize: UInt32(target.frames * 4), mData: target[channel])
        }
        guard let isSilence = unsafe call(target.frames, time, list.unsafeMutablePointer) else {
            target.silence()
            return false
        }
        // The block may have replaced the memory.
        for channel in 0..<target.channels {
            guard let memory = unsafe list[channel].mData, unsafe memory != target[channel] else { continue }
            let count = unsafe min(target.frames, Int(list[channel].mDataByteSize) / 4)
            unsafe target[channel].update(from: memory.assumingMemoryBound(to: Float.self), count: count)
            unsafe (target[channel] + count).update(repeating: 0, count: target.frames - count)
        }
        return !isSilence
    }

    private func renderOwn(_ target: PlanarSamples, _ time: SliceTime) -> Bool {
        guard let own, let reader else {
            target.silence()
            return false
        }
        own.frameLength = UInt32(target.frames)
        let status = unsafe call(target.frames, time, own.mutableAudioBufferList)
        unsafe takeReplacedMemory(
            UnsafeMutableAudioBufferListPointer(own.mutableAudioBufferList),
            bytes: target.frames * Int(own.format.asbd.mBytesPerFrame))
        guard let isSilence = status else {
            target.silence()
            return false
        }
        reader.read(from: 0, into: target)
        return !isSilence
    }

    /// Copies what the block has rendered into memory of its own.
    ///
    /// - Parameter bytes: The bytes of each buffer. What is missing in the block's memory becomes silence.
    @unsafe private func takeReplacedMemory(_ buffers: UnsafeMutableAudioBufferListPointer, bytes: Int) {
        for index in unsafe 0..<min(buffers.count, memory.count) {
            guard let replaced = unsafe buffers[index].mData, let own = unsafe memory[index],
                unsafe replaced != own
            else { continue }
            let count = unsafe min(bytes, Int(buffers[index].mDataByteSize))
            unsafe own.copyMemory(from: replaced, byteCount: count)
            unsafe (own + count).initializeMemory(as: UInt8.self, repeating: 0, count: bytes - count)
            unsafe buffers[index].mData = unsafe own
        }
    }

    /// Calls the block. Returns whether it says that all samples are 0; nil after an error.
    @unsafe private func call(
        _ frames: Int, _ time: SliceTime, _ list: UnsafeMutablePointer<AudioBufferList>
    ) -> Bool? {
        var isSilence = ObjCBool(false)
        var stamp = AudioTimeStamp()
        stamp.mSampleTime = Double(time.sampleTime)
        stamp.mFlags = .sampleTimeValid
        if time.hostTime != 0 {
            stamp.mHostTime = time.hostTime
            stamp.mFlags.insert(.hostTimeValid)
        }
        let status = unsafe block(&isSilence, &stamp, UInt32(frames), list)
        return status == noErr ? isSilence.boolValue : nil
    }
}
