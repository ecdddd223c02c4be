// SPDX-License-Identifier: MIT

import AQDevices
import AQFiles
import CoreAudioTypes
import Testing
import AQTestSupport

extension ScratchFolder {
    /// All samples of a file as 16 bits, in either byte order.
    func samples(of name: String) throws -> [Int16] {
        let file = try AudioFile.open(path: self.file(name))
        let bytesPerFrame = Int(file.format.mBytesPerFrame)
        let frames = try file.countFrames()
        var bytes = [UInt8](repeating: 0, count: Int(frames) * bytesPerFrame)
        var done = 0
        while done < bytes.count {
            let read = try unsafe bytes.withUnsafeMutableBytes { bytes in
                try unsafe file.readPackets(
                    from: Int64(done / bytesPerFrame),
                    into: UnsafeMutableRawBufferPointer(rebasing: bytes[done...]),
                    descriptions: UnsafeMutableBufferPointer(start: nil, count: 0))
            }
            try #require(read.bytes > 0)
            done += read.bytes
        }
        let isSwapped = file.format.isBigEndian
        return unsafe bytes.withUnsafeBytes { bytes in
            unsafe bytes.bindMemory(to: Int16.self).map { isSwapped ? $0.byteSwapped : $0 }
        }
    }
}

/// The sequence that ``SequenceContent`` makes, in stereo.
func sequence(_ frames: Range<Int>) -> [Int16] {
    frames.flatMap { frame in
        [0, 1].map { SequenceContent.sample(frame: Int64(frame), channel: $0) }
    }
}

/// The first difference of two sample arrays; nil if there is none. (Thousands of samples are too long to print.)
func firstDifference(_ left: [Int16], _ right: [Int16]) -> Int? {
    if left == right { return nil }
    return zip(left, right).enumerated().first { $1.0 != $1.1 }?.offset ?? min(left.count, right.count)
}
