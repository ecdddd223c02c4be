// SPDX-License-Identifier: MIT

import CoreAudioTypes
import Glibc

/// An `AudioBufferList` with a buffer of 32-bit floats for each channel, and memory to lend to a tap.
///
/// Used by one thread at a time. Allocates no memory after initialization.
@safe final class TapBuffers {
    // SAFETY: `memory` holds `capacityFrames` floats for each channel, and `list` as many buffers as there
    // are channels, whatever a client writes into it; both are freed by deinit.

    let channels: Int
    let capacityFrames: Int
    private let list: UnsafeMutableAudioBufferListPointer
    private let memory: UnsafeMutablePointer<Float>
    /// The number of frames of the memory that are lent.
    private var lentFrames = 0
    private var isLending = false

    init(channels: Int, capacityFrames: Int) {
        self.channels = max(channels, 1)
        self.capacityFrames = max(capacityFrames, 1)
        unsafe list = AudioBufferList.allocate(maximumBuffers: self.channels)
        unsafe memory = .allocate(capacity: self.channels * self.capacityFrames)
        unsafe memory.initialize(repeating: 0, count: self.channels * self.capacityFrames)
    }

    deinit {
        unsafe free(list.unsafeMutablePointer)
        unsafe memory.deallocate()
    }

    var pointer: UnsafeMutablePointer<AudioBufferList> { unsafe list.unsafeMutablePointer }

    // MARK: Lending

    func takeBack() { lentFrames = 0 }

    /// Begins a tap's read into a list. Buffers without memory borrow some.
    ///
    /// - Returns: The number of frames that can be read: the requested one, unless less memory can be lent.
    /// - Throws: ``QueueError/Code/invalidArgument`` if the number of buffers differs from that of the channels, or a
    ///   buffer is too small for the frames.
    func beginReading(
        frames: Int, into list: UnsafeMutableAudioBufferListPointer
    ) throws(QueueError) -> Int {
        guard unsafe list.count == channels else {
            throw QueueError(
                .invalidArgument, "cannot read audio of \(channels) buffers into \(unsafe list.count)")
        }
        guard frames >= 0 else { throw QueueError(.invalidArgument, "cannot read \(frames) frames") }
        isLending = false
        for channel in 0..<channels {
            let bytes = Int(unsafe list[channel].mDataByteSize)
            if unsafe list[channel].mData == nil {
                isLending = true
            } else if bytes / 4 < frames {
                throw QueueError(.invalidArgument, "cannot read \(frames) frames into \(bytes) bytes")
            }
        }
        for channel in 0..<channels {
            guard unsafe list[channel].mData == nil else { continue }
            unsafe list[channel].mData = UnsafeMutableRawPointer(
                memory + channel * capacityFrames + lentFrames)
        }
        return isLending ? min(frames, capacityFrames - lentFrames) : frames
    }

    /// Copies interleaved frames into the list of a read, after `done` frames copied before.
    func read(
        _ frames: UnsafePointer<Float>, count: Int, into list: UnsafeMutableAudioBufferListPointer,
        behind done: Int = 0
    ) {
        for channel in 0..<channels {
            guard let data = unsafe list[channel].mData else { continue }
            for index in 0..<count {
                unsafe data.storeBytes(
                    of: frames[index * channels + channel], toByteOffset: (done + index) * 4, as: Float.self)
            }
        }
    }

    func endReading(frames: Int, into list: UnsafeMutableAudioBufferListPointer) {
        if isLending { lentFrames += frames }
        for channel in 0..<channels {
            unsafe list[channel].mNumberChannels = 1
            unsafe list[channel].mDataByteSize = UInt32(clamping: frames * 4)
        }
    }

    // MARK: The list

    /// Sets all buffers to NULL, before a tap sets them.
    func clear() {
        unsafe list.count = channels
        for channel in 0..<channels {
            unsafe list[channel] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 0, mData: nil)
        }
    }

    /// Copies interleaved frames into the memory, and points the list to them. All memory is lent then.
    ///
    /// - Parameter count: The number of frames, at most ``capacityFrames``.
    func fill(from frames: UnsafePointer<Float>, count: Int) {
        let count = min(max(count, 0), capacityFrames)
        unsafe list.count = channels
        for channel in 0..<channels {
            let target = unsafe memory + channel * capacityFrames
            for index in 0..<count { unsafe target[index] = frames[index * channels + channel] }
            unsafe list[channel] = AudioBuffer(
                mNumberChannels: 1, mDataByteSize: UInt32(clamping: count * 4),
                mData: UnsafeMutableRawPointer(target))
        }
        lentFrames = capacityFrames
    }

    /// Copies the audio that a tap left in the list to interleaved frames; missing audio is silent.
    ///
    /// - Parameter count: The number of frames that the tap returned.
    func copy(to output: UnsafeMutablePointer<Float>, count: Int) {
        let buffers = unsafe min(list.count, channels)
        for channel in 0..<channels {
            guard channel < buffers, let data = unsafe list[channel].mData else {
                for index in 0..<count { unsafe output[index * channels + channel] = 0 }
                continue
            }
            // COMPAT: a tap that points to memory of its own may leave the size unchanged, at 0.
            let bytes = Int(unsafe list[channel].mDataByteSize)
            let held = bytes == 0 ? count : min(count, bytes / 4)
            for index in 0..<held {
                unsafe output[index * channels + channel] =
                    data.loadUnaligned(fromByteOffset: index * 4, as: Float.self)
            }
            for index in held..<count { unsafe output[index * channels + channel] = 0 }
        }
    }
}
