// SPDX-License-Identifier: MIT

import AQUnits
import CAQAudioToolbox
import CoreAudioTypes
import Glibc

/// The arguments of a cycle: three times, the buffer lists of both sides, and their memory.
///
/// A side without a stream has a list without buffers, and a time without flags. One thread uses a cycle at a time.
@safe final class DeviceCycle: @unchecked Sendable {
    // SAFETY: the memory is allocated here, and freed by deinit. Threads take turns: see above.

    /// The channels of the sides; 0 for a side without a stream.
    struct Shape: Sendable {
        var frames: Int
        var inputChannels: Int
        var outputChannels: Int
    }

    let shape: Shape
    let now: UnsafeMutablePointer<AudioTimeStamp>
    let inputTime: UnsafeMutablePointer<AudioTimeStamp>
    let outputTime: UnsafeMutablePointer<AudioTimeStamp>
    let input: UnsafeMutableAudioBufferListPointer
    let output: UnsafeMutableAudioBufferListPointer
    private let inputMemory: UnsafeMutableRawPointer
    private let outputMemory: UnsafeMutableRawPointer

    init(_ shape: Shape) {
        self.shape = shape
        unsafe now = .allocate(capacity: 3)
        unsafe now.initialize(repeating: AudioTimeStamp(), count: 3)
        unsafe inputTime = now + 1
        unsafe outputTime = now + 2
        unsafe input = AudioBufferList.allocate(maximumBuffers: 1)
        unsafe output = AudioBufferList.allocate(maximumBuffers: 1)
        unsafe inputMemory = DeviceCycle.memory(shape.frames, shape.inputChannels)
        unsafe outputMemory = DeviceCycle.memory(shape.frames, shape.outputChannels)
        prepareInput(frames: shape.frames)
        prepareOutput(frames: shape.frames)
    }

    deinit {
        unsafe now.deallocate()
        unsafe free(input.unsafeMutablePointer)
        unsafe free(output.unsafeMutablePointer)
        unsafe inputMemory.deallocate()
        unsafe outputMemory.deallocate()
    }

    private static func memory(_ frames: Int, _ channels: Int) -> UnsafeMutableRawPointer {
        let bytes = max(1, frames * channels * MemoryLayout<Float>.size)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
        unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
        return unsafe memory
    }

    /// Restores the list of the input, which the client may have changed: with memory for at most the cycle's frames.
    func prepareInput(frames: Int) {
        unsafe prepare(input, inputMemory, channels: shape.inputChannels, frames: frames)
    }

    /// Restores the list of the output, with silent memory.
    func prepareOutput(frames: Int) {
        unsafe prepare(output, outputMemory, channels: shape.outputChannels, frames: frames)
        guard shape.outputChannels > 0 else { return }
        unsafe _ = memset(outputMemory, 0, Int(output[0].mDataByteSize))
    }

    private func prepare(
        _ list: UnsafeMutableAudioBufferListPointer, _ memory: UnsafeMutableRawPointer, channels: Int,
        frames: Int
    ) {
        unsafe list.count = channels > 0 ? 1 : 0
        guard channels > 0 else { return }
        let bytes = min(frames, shape.frames) * channels * MemoryLayout<Float>.size
        unsafe list[0] = unsafe AudioBuffer(
            mNumberChannels: UInt32(channels), mDataByteSize: UInt32(bytes), mData: memory)
    }

    /// Makes the captured audio silent.
    func silenceInput() {
        guard shape.inputChannels > 0 else { return }
        unsafe _ = memset(inputMemory, 0, Int(input[0].mDataByteSize))
    }

    /// Copies what the client has left in the list of the output, which may be less, and at another address.
    func copyOutput(to list: UnsafeMutablePointer<AudioBufferList>) {
        let target = unsafe UnsafeMutableAudioBufferListPointer(list)
        guard unsafe target.count == 1, unsafe output.count == 1, let to = unsafe target[0].mData,
            let from = unsafe output[0].mData
        else { return }
        let bytes = unsafe min(target[0].mDataByteSize, output[0].mDataByteSize)
        unsafe to.copyMemory(from: from, byteCount: Int(bytes))
    }
}
