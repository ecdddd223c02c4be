// SPDX-License-Identifier: MIT

import CAQSndFile
import CoreAudioTypes

extension SndFileReader {
    /// Reads frames at the library's position; from a pipe, no more than ``leastFramesPerRead`` if little more has
    /// arrived.
    ///
    /// The library waits for whole blocks of a pipe, and for whole pages of Ogg.
    ///
    /// - Returns: The number of frames, and whether the audio ends after them.
    func readArrived(
        frames: Int, frameBytes: Int, into bytes: UnsafeMutableRawBufferPointer
    ) -> (frames: Int, isEnd: Bool) {
        guard file.bytes == nil, leastFramesPerRead < frames else {
            let got = unsafe read(frames: frames, frameBytes: frameBytes, into: bytes)
            return (got, got < frames)
        }
        var done = 0
        while done < frames, done < leastFramesPerRead || file.arrivedBytes >= Self.pageBytes {
            let wanted = min(frames - done, Self.stepFrames)
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[(done * frameBytes)...])
            let got = unsafe read(frames: wanted, frameBytes: frameBytes, into: rest)
            done += got
            if got < wanted { return (done, true) }
        }
        return (done, false)
    }

    /// Reads frames at the library's position into memory of any alignment; returns their number.
    func read(frames: Int, frameBytes: Int, into bytes: UnsafeMutableRawBufferPointer) -> Int {
        guard let memory = bytes.baseAddress else { return 0 }
        let access = coding.access
        // The library's typed reads require aligned memory.
        let isAligned = access == .raw || Int(bitPattern: memory) % access.libraryBytes == 0
        if isAligned, !access.isNarrowed {
            return unsafe readAligned(frames: frames, frameBytes: frameBytes, into: memory)
        }
        let channels = Int(format.mChannelsPerFrame)
        let blockFrameBytes = channels * access.libraryBytes
        let blockFrames = min(max(Self.blockBytes / blockFrameBytes, 1), frames)
        let block = UnsafeMutableRawPointer.allocate(
            byteCount: blockFrames * blockFrameBytes, alignment: 16)
        defer { unsafe block.deallocate() }
        var done = 0
        while done < frames {
            let wanted = min(blockFrames, frames - done)
            let got = unsafe readAligned(frames: wanted, frameBytes: frameBytes, into: block)
            // SAFETY: the memory has room for all requested frames, and the block for one turn's frames.
            let destination = unsafe memory + done * frameBytes
            switch access {
            case .int8: unsafe Self.narrowTo8(block, samples: got * channels, into: destination)
            case .int24: unsafe Self.narrowTo24(block, samples: got * channels, into: destination)
            default: unsafe destination.copyMemory(from: block, byteCount: got * frameBytes)
            }
            done += got
            if got < wanted { break }
        }
        return done
    }

    /// Reads frames at the library's position unconverted, into aligned memory.
    private func readAligned(
        frames: Int, frameBytes: Int, into memory: UnsafeMutableRawPointer
    ) -> Int {
        var got = unsafe readOnce(frames: frames, frameBytes: frameBytes, into: memory)
        // QUIRK: after damage in FLAC, libsndfile 1.2 returns the requested number of frames, but later frames.
        if handle.failure != nil, repair(), (try? seek(to: nextFrame)) != nil {
            got = unsafe readOnce(frames: frames, frameBytes: frameBytes, into: memory)
        }
        nextFrame += Int64(got)
        return got
    }

    private func readOnce(frames: Int, frameBytes: Int, into memory: UnsafeMutableRawPointer) -> Int {
        let wanted = sf_count_t(frames)
        let got: Int =
            switch coding.access {
            case .raw:
                unsafe Int(sf_read_raw(handle.pointer, memory, wanted * sf_count_t(frameBytes))) / frameBytes
            case .int8, .int16:
                unsafe Int(sf_readf_short(handle.pointer, memory.assumingMemoryBound(to: Int16.self), wanted))
            case .int24, .int32:
                unsafe Int(sf_readf_int(handle.pointer, memory.assumingMemoryBound(to: CInt.self), wanted))
            case .float32:
                unsafe Int(sf_readf_float(handle.pointer, memory.assumingMemoryBound(to: Float.self), wanted))
            }
        return max(got, 0)
    }

    /// Keeps the upper byte of 16-bit samples, which the library fills from the top.
    private static func narrowTo8(
        _ samples: UnsafeMutableRawPointer, samples count: Int, into bytes: UnsafeMutableRawPointer
    ) {
        let wide = unsafe samples.assumingMemoryBound(to: Int16.self)
        let narrow = unsafe bytes.assumingMemoryBound(to: Int8.self)
        for index in 0..<count { unsafe narrow[index] = Int8(truncatingIfNeeded: wide[index] >> 8) }
    }

    /// Keeps the upper three bytes of 32-bit samples, lowest first.
    private static func narrowTo24(
        _ samples: UnsafeMutableRawPointer, samples count: Int, into bytes: UnsafeMutableRawPointer
    ) {
        let wide = unsafe samples.assumingMemoryBound(to: UInt32.self)
        let narrow = unsafe bytes.assumingMemoryBound(to: UInt8.self)
        for index in 0..<count {
            let sample = unsafe wide[index]
            unsafe narrow[3 * index] = UInt8(truncatingIfNeeded: sample >> 8)
            unsafe narrow[3 * index + 1] = UInt8(truncatingIfNeeded: sample >> 16)
            unsafe narrow[3 * index + 2] = UInt8(truncatingIfNeeded: sample >> 24)
        }
    }

    /// The number of frames read from a pipe before the next check for bytes.
    private static let stepFrames = 256
    /// With this number of arrived bytes, a read of the library does not wait: a block of 2048 bytes after a usual page.
    private static let pageBytes = 16 << 10
    /// The size of the memory for samples that are not aligned or are narrowed.
    private static let blockBytes = 64 << 10
}
