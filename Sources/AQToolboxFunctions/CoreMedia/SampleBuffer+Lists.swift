// SPDX-License-Identifier: MIT

import CAQAudioToolbox
import CAQCoreMedia
import CoreAudioTypes
import CoreFoundation

/// The data of sample buffers as lists of buffers: one for each channel, or one for all.
extension SampleBuffer {
    /// The format.
    ///
    /// - Throws: `kCMSampleBufferError_InvalidMediaTypeForOperation` if there is none,
    ///   `kCMSampleBufferError_InvalidMediaFormat` if it has no channels, or PCM no size of frames.
    func audioFormat() throws(StatusError) -> AudioStreamBasicDescription {
        guard let format = format?.contents.format else {
            throw StatusError(kCMSampleBufferError_InvalidMediaTypeForOperation)
        }
        guard format.mChannelsPerFrame > 0, !format.isLinearPCM || format.mBytesPerFrame > 0 else {
            throw StatusError(kCMSampleBufferError_InvalidMediaFormat)
        }
        return format
    }

    /// The bytes of frames of PCM in one buffer of a list.
    ///
    /// - Throws: `kCMSampleBufferError_InvalidSampleData` if no buffer can have so many.
    static func bytes(
        ofFrames frames: Int, _ format: AudioStreamBasicDescription
    ) throws(StatusError) -> Int {
        let (bytes, overflow) = frames.multipliedReportingOverflow(by: Int(format.mBytesPerFrame))
        guard !overflow, bytes <= UInt32.max else {
            throw StatusError(kCMSampleBufferError_InvalidSampleData)
        }
        return bytes
    }

    /// The parts of the data that are the buffers of a list.
    ///
    /// - Throws: `kCMSampleBufferError_InvalidSampleData` if the data has fewer bytes than samples need.
    func parts(_ format: AudioStreamBasicDescription, dataBytes: Int) throws(StatusError) -> [Range<Int>] {
        guard format.isLinearPCM else {
            guard dataBytes <= UInt32.max else {
                throw StatusError(kCMSampleBufferError_InvalidSampleData)
            }
            return [0..<dataBytes]
        }
        let bytes = try Self.bytes(ofFrames: sampleCount, format)
        let count = BufferLists.bufferCount(of: format)
        let (total, overflow) = bytes.multipliedReportingOverflow(by: count)
        guard !overflow, total <= dataBytes, bytes > 0 else {
            throw StatusError(kCMSampleBufferError_InvalidSampleData)
        }
        return (0..<count).map { $0 * bytes..<($0 + 1) * bytes }
    }

    /// Copies the buffers of a list into one new block, one after the other.
    ///
    /// - Throws: `kCMSampleBufferError_AlreadyHasDataBuffer`, `kCMSampleBufferError_InvalidMediaFormat` if the list
    ///   does not have the format's buffers, `kCMSampleBufferError_InvalidSampleData` if they hold fewer frames than
    ///   the buffer has.
    @unsafe
    func copy(_ list: UnsafePointer<AudioBufferList>, allocator: CFAllocator?) throws(StatusError) {
        guard data == nil else { throw StatusError(kCMSampleBufferError_AlreadyHasDataBuffer) }
        let format = try audioFormat()
        let list = unsafe UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: list))
        let count = BufferLists.bufferCount(of: format)
        guard unsafe list.count == count else { throw StatusError(kCMSampleBufferError_InvalidMediaFormat) }

        // Everything is checked before memory is allocated.
        var sources = unsafe [(start: UnsafeMutableRawPointer, bytes: Int)]()
        var total = 0
        for index in 0..<count {
            let buffer = unsafe list[index]
            let bytes =
                format.isLinearPCM
                ? try Self.bytes(ofFrames: sampleCount, format) : unsafe Int(buffer.mDataByteSize)
            guard bytes > 0, unsafe Int(buffer.mDataByteSize) >= bytes,
                let start = unsafe buffer.mData
            else { throw StatusError(kCMSampleBufferError_InvalidSampleData) }
            unsafe sources.append((start, bytes))
            total += bytes
        }

        let block = try unsafe MemoryBlock(nil, byteCount: total, source: nil, allocator: allocator)
        try block.allocate()
        var offset = 0
        for index in unsafe sources.indices {
            let source = unsafe sources[index]
            unsafe (try block.start() + offset).copyMemory(from: source.start, byteCount: source.bytes)
            unsafe offset += source.bytes
        }
        let blocks = BlockBuffer()
        try blocks.append(block, offset: 0, byteCount: total)
        try setData(MediaReference(owning: blocks), bytesPerSample: Self.bytesPerSample(format))
        isReady = true
    }

    /// Sets the buffers of a list, and returns the block buffer that owns their memory.
    ///
    /// - Throws: `kCMSampleBufferError_BufferNotReady`, `kCMSampleBufferError_InvalidSampleData`, the results of
    ///   block buffers whose memory is missing or cannot be copied.
    @unsafe
    func fill(
        _ list: UnsafeMutablePointer<AudioBufferList>, allocator: CFAllocator?, isAligned: Bool
    ) throws(StatusError) -> MediaReference<BlockBuffer> {
        let format = try audioFormat()
        let data = try readyData()
        let parts = try parts(format, dataBytes: data.contents.byteCount)
        var owner = data
        var pointers: [UnsafeMutableRawPointer] = unsafe []
        var isContiguous = true
        for part in parts {
            guard let start = try unsafe data.contents.contiguousBytes(in: part) else {
                isContiguous = false
                break
            }
            if isAligned, UInt(bitPattern: start) % 16 != 0 { isContiguous = false }
            unsafe pointers.append(start)
        }
        if !isContiguous {
            let (copy, starts) = try unsafe data.contents.alignedCopy(of: parts, allocator: allocator)
            owner = try MediaReference(owning: copy)
            unsafe pointers = unsafe starts
        }
        let buffers = unsafe UnsafeMutableAudioBufferListPointer(list)
        unsafe list.pointee.mNumberBuffers = UInt32(parts.count)
        for (index, part) in parts.enumerated() {
            unsafe buffers[index] = AudioBuffer(
                mNumberChannels: parts.count > 1 ? 1 : format.mChannelsPerFrame,
                mDataByteSize: UInt32(part.count), mData: pointers[index])
        }
        return owner
    }

    /// Copies frames of PCM into the buffers of a list, and sets the buffers' sizes.
    ///
    /// - Throws: `kCMSampleBufferError_InvalidMediaFormat` for another format, and for a list without the format's
    ///   buffers; `kCMSampleBufferError_SampleIndexOutOfRange`, `kCMSampleBufferError_ArrayTooSmall`,
    ///   `kCMSampleBufferError_RequiredParameterMissing` for a buffer without memory, the errors of filling a list.
    @unsafe
    func copyFrames(
        _ first: Int, _ count: Int, to list: UnsafeMutablePointer<AudioBufferList>
    ) throws(StatusError) {
        let format = try audioFormat()
        guard format.isLinearPCM else { throw StatusError(kCMSampleBufferError_InvalidMediaFormat) }
        let data = try readyData().contents
        guard first >= 0, count >= 0, first + count <= sampleCount else {
            throw StatusError(kCMSampleBufferError_SampleIndexOutOfRange)
        }
        let parts = try parts(format, dataBytes: data.byteCount)
        let buffers = unsafe UnsafeMutableAudioBufferListPointer(list)
        guard unsafe buffers.count == parts.count else {
            throw StatusError(kCMSampleBufferError_InvalidMediaFormat)
        }
        let skipped = try Self.bytes(ofFrames: first, format)
        let bytes = try Self.bytes(ofFrames: count, format)
        for index in parts.indices {
            guard unsafe Int(buffers[index].mDataByteSize) >= bytes else {
                throw StatusError(kCMSampleBufferError_ArrayTooSmall)
            }
            guard unsafe buffers[index].mData != nil else {
                throw StatusError(kCMSampleBufferError_RequiredParameterMissing)
            }
        }
        for (index, part) in parts.enumerated() {
            let start = part.lowerBound + skipped
            if let memory = unsafe buffers[index].mData {
                try unsafe data.copy(start..<start + bytes, to: memory)
            }
            unsafe buffers[index].mDataByteSize = UInt32(bytes)
        }
    }
}

extension BlockBuffer {
    /// Copies parts into one new block, each at a multiple of 16 bytes.
    @unsafe
    fileprivate func alignedCopy(
        of parts: [Range<Int>], allocator: CFAllocator?
    ) throws(StatusError) -> (BlockBuffer, [UnsafeMutableRawPointer]) {
        let padded = parts.map { ($0.count + 15) & ~15 }
        // A custom allocator may return memory that is not aligned, so there is room to begin later.
        let total = padded.reduce(16, +)
        let block = try unsafe MemoryBlock(nil, byteCount: total, source: nil, allocator: allocator)
        try block.allocate()
        let memory = try unsafe block.start()
        var next = unsafe memory.alignedUp(toMultipleOf: 16)
        var starts: [UnsafeMutableRawPointer] = unsafe []
        for (part, bytes) in zip(parts, padded) {
            try unsafe copy(part, to: next)
            unsafe starts.append(next)
            unsafe next += bytes
        }
        let copy = BlockBuffer()
        try copy.append(block, offset: 0, byteCount: total)
        return unsafe (copy, starts)
    }
}

extension MediaReference<BlockBuffer> {
    /// Makes an object for a buffer of the library.
    ///
    /// - Throws: `kCMSampleBufferError_AllocationFailed`.
    init(owning contents: BlockBuffer) throws(StatusError) {
        guard let object = unsafe BlockBuffer.objects.make(contents) else {
            throw StatusError(kCMSampleBufferError_AllocationFailed)
        }
        unsafe self.init(owned: object, contents)
    }
}
