// SPDX-License-Identifier: MIT

import AQFiles
import CAQAudioToolbox
import CoreAudioTypes
import Glibc

/// The bytes of a regular file, read at any offset.
///
/// Used for chunks and the stored bytes of packets, because the engine only returns their offsets.
final class FileBytes {
    private let descriptor: CInt

    /// Opens a file a second time, in addition to the engine.
    ///
    /// - Returns: The file; nil if it is not regular, because opening a pipe again would consume its bytes.
    static func open(path: FilePath) -> FileBytes? {
        var status = stat()
        guard unsafe stat(path.cString, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let descriptor = unsafe Glibc.open(path.cString, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        return descriptor < 0 ? nil : FileBytes(descriptor: descriptor)
    }

    private init(descriptor: CInt) { self.descriptor = descriptor }

    deinit { Glibc.close(descriptor) }

    /// The current size of the file in bytes.
    var byteCount: Int64 {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 ? Int64(status.st_size) : 0
    }

    /// Reads bytes; fewer only at the end of the file.
    ///
    /// - Throws: `kAudioFilePositionError` for an offset before the first byte, `kAudioFileUnspecifiedError`
    ///   if the system fails.
    func read(
        at offset: Int64, into memory: UnsafeMutableRawBufferPointer
    ) throws(StatusError) -> Int {
        let (end, overflow) = offset.addingReportingOverflow(Int64(memory.count))
        guard offset >= 0, !overflow, end >= 0 else { throw StatusError(kAudioFilePositionError) }
        let (got, number) = unsafe readFully(descriptor, at: offset, into: memory)
        guard number == 0 else { throw StatusError(kAudioFileUnspecifiedError) }
        return got
    }

    /// Reads exactly `count` bytes; nil if there are fewer.
    func bytes(at offset: Int64, count: Int) throws(StatusError) -> [UInt8]? {
        guard count >= 0, offset >= 0, Int64(count) <= byteCount - offset else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        let got = try unsafe bytes.withUnsafeMutableBufferPointer { memory throws(StatusError) in
            try unsafe read(at: offset, into: UnsafeMutableRawBufferPointer(memory))
        }
        return got == count ? bytes : nil
    }
}
