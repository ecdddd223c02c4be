// SPDX-License-Identifier: MIT

import AQDevices
import CAQAudioToolbox
import CAQRealTime
import CoreAudioTypes
import Glibc
import Synchronization

/// A thread that writes frames to a file for a thread that must not wait.
///
/// There is a ring for each of the client's buffers, all with the same positions. One thread adds frames, and
/// the thread that this object starts takes them.
@safe final class AsyncFileWriter: @unchecked Sendable {
    // SAFETY: the frames of the rings change hands through the release and acquire of `written` and `taken`,
    // which only grow; deinit frees the memory and the semaphores after the thread has ended.

    /// The function that writes frames of the client's format; the next call that adds frames returns its result.
    typealias Write = @Sendable (_ list: UnsafeMutableAudioBufferListPointer, _ frames: Int) -> OSStatus

    private let format: AudioStreamBasicDescription
    private let capacity: Int
    private let bufferCount: Int
    private let bytesPerFrame: Int
    private let memory: UnsafeMutableRawPointer
    private let written = Atomic<Int>(0)
    private let taken = Atomic<Int>(0)
    /// The first failure that no call has returned.
    private let failure = Atomic<Int32>(0)
    private let isEnding = Atomic<Bool>(false)
    private let wake: UnsafeMutablePointer<sem_t>
    private let ended: UnsafeMutablePointer<sem_t>
    private let write: Write
    /// The process that has the thread, which a forked child does not have.
    private let process = getpid()

    /// - Parameters:
    ///   - format: The format of the frames, which is valid linear PCM.
    ///   - frames: The room in frames; less for very many channels.
    init(format: AudioStreamBasicDescription, frames: Int, write: @escaping Write) {
        self.format = format
        unsafe self.write = write
        bufferCount = BufferLists.bufferCount(of: format)
        bytesPerFrame = Int(format.mBytesPerFrame)
        // The limit allows less than two seconds of a thousand channels.
        capacity = max(1, min(frames, (256 << 20) / (bytesPerFrame * bufferCount)))
        let bytes = capacity * bytesPerFrame * bufferCount
        unsafe memory = .allocate(byteCount: bytes, alignment: 64)
        // Initialised here, so that the thread that adds frames has no page fault.
        unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
        unsafe wake = .allocate(capacity: 1)
        unsafe ended = .allocate(capacity: 1)
        unsafe sem_init(wake, 0, 0)
        unsafe sem_init(ended, 0, 0)
    }

    deinit {
        unsafe sem_destroy(wake)
        unsafe sem_destroy(ended)
        unsafe wake.deallocate()
        unsafe ended.deallocate()
        unsafe memory.deallocate()
    }

    var hasFrames: Bool { written.load(ordering: .acquiring) > 0 }

    /// Starts the thread.
    ///
    /// - Returns: False if the system cannot create it.
    func start() -> Bool {
        // The encoder runs on this thread, and needs a large stack.
        DetachedThread.start(named: "file-writer", stackBytes: 1 << 20) { self.run() } == 0
    }

    /// Adds frames, all or none, without waiting.
    ///
    /// - Returns: `kExtAudioFileError_InvalidOperationOrder` in a forked child; the failure of frames that were added
    ///   before, once; `kExtAudioFileError_AsyncWriteTooLarge` for more frames than the ring can hold,
    ///   `kExtAudioFileError_AsyncWriteBufferOverflow` for more frames than fit now. After an error nothing is added.
    @unsafe
    func add(frames: Int, from list: UnsafeMutableAudioBufferListPointer) -> OSStatus {
        // REAL-TIME: the client's audio thread.
        guard getpid() == process else { return kExtAudioFileError_InvalidOperationOrder }
        let earlier = failure.exchange(0, ordering: .acquiringAndReleasing)
        guard earlier == noErr else { return earlier }
        guard unsafe BufferLists.hold(frames, list, format) else { return kAudio_ParamError }
        guard frames <= capacity else { return kExtAudioFileError_AsyncWriteTooLarge }
        let position = written.load(ordering: .relaxed)
        guard capacity - (position - taken.load(ordering: .acquiring)) >= frames else {
            return kExtAudioFileError_AsyncWriteBufferOverflow
        }
        let slot = position % capacity
        let first = min(frames, capacity - slot)
        for index in 0..<bufferCount {
            guard let source = unsafe list[index].mData else { continue }
            let ring = unsafe self.ring(index)
            unsafe (ring + slot * bytesPerFrame).copyMemory(from: source, byteCount: first * bytesPerFrame)
            unsafe ring.copyMemory(
                from: source + first * bytesPerFrame, byteCount: (frames - first) * bytesPerFrame)
        }
        written.store(position + frames, ordering: .releasing)
        unsafe aq_semaphore_post(wake)
        return noErr
    }

    /// Waits until all frames are written and the thread has ended.
    ///
    /// - Returns: The first failure that no call has returned; `kExtAudioFileError_InvalidOperationOrder` in a forked
    ///   child.
    func finish() -> OSStatus {
        guard getpid() == process else { return kExtAudioFileError_InvalidOperationOrder }
        isEnding.store(true, ordering: .releasing)
        unsafe aq_semaphore_post(wake)
        while unsafe sem_wait(ended) != 0 && errno == EINTR {}
        return failure.exchange(0, ordering: .acquiringAndReleasing)
    }

    private func run() {
        let list = unsafe AudioBufferList.allocate(maximumBuffers: bufferCount)
        defer { unsafe free(list.unsafeMutablePointer) }
        while true {
            while unsafe sem_wait(wake) != 0 && errno == EINTR {}
            // Read first, so that frames added before the end was requested are visible below.
            let isLast = isEnding.load(ordering: .acquiring)
            unsafe writeAll(list)
            if isLast { break }
        }
        unsafe sem_post(ended)
    }

    private func writeAll(_ list: UnsafeMutableAudioBufferListPointer) {
        while true {
            let position = taken.load(ordering: .relaxed)
            let available = written.load(ordering: .acquiring) - position
            guard available > 0 else { return }
            let slot = position % capacity
            let frames = min(available, capacity - slot)
            for index in 0..<bufferCount {
                unsafe list[index] = AudioBuffer(
                    mNumberChannels: bufferCount > 1 ? 1 : format.mChannelsPerFrame,
                    mDataByteSize: UInt32(frames * bytesPerFrame), mData: ring(index) + slot * bytesPerFrame)
            }
            let status = unsafe write(list, frames)
            if status != noErr {
                _ = failure.compareExchange(expected: 0, desired: status, ordering: .acquiringAndReleasing)
            }
            taken.store(position + frames, ordering: .releasing)
        }
    }

    private func ring(_ index: Int) -> UnsafeMutableRawPointer {
        unsafe memory + index * capacity * bytesPerFrame
    }
}
