// SPDX-License-Identifier: MIT

import CAQSndFile
import Glibc

/// The bytes that libsndfile reads in place of a file.
protocol ReadableBytes {
    var byteCount: Int64 { get }

    /// Fills the memory from an offset on; returns fewer bytes only at the end, or where the file cannot be read.
    func read(at offset: Int64, into memory: UnsafeMutableRawBufferPointer) -> Int
}

extension ReadableBytes {
    /// The bytes from an offset on; fewer only at the end, or where the file cannot be read.
    func bytes(at offset: Int64, count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let got = unsafe bytes.withUnsafeMutableBytes { unsafe read(at: offset, into: $0) }
        bytes.removeLast(count - got)
        return bytes
    }
}

/// An unmodified file; a pipe has no bytes that can be read by offset.
extension OpenFile: ReadableBytes {
    var byteCount: Int64 { bytes ?? 0 }
}

/// A file as presented to libsndfile.
///
/// Some contents and lengths must be hidden from the library: see ``WaveHeader`` and ``RepairedFLAC``.
@safe final class VirtualFile {
    private let bytes: any ReadableBytes
    private var position: Int64 = 0

    /// Bytes that replace bytes of a file at an offset.
    typealias Patch = (offset: Int64, bytes: [UInt8])

    init(_ bytes: any ReadableBytes) { self.bytes = bytes }

    private func read(into memory: UnsafeMutableRawPointer, count: Int64) -> Int64 {
        let room = unsafe UnsafeMutableRawBufferPointer(start: memory, count: Int(count))
        let got = unsafe Int64(bytes.read(at: position, into: room))
        position += got
        return got
    }

    private func seek(to offset: Int64, from origin: CInt) -> Int64 {
        let base: Int64 = origin == SEEK_SET ? 0 : origin == SEEK_CUR ? position : bytes.byteCount
        let (target, overflow) = base.addingReportingOverflow(offset)
        guard !overflow, target >= 0 else { return -1 }
        position = target
        return target
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> VirtualFile? {
        guard let context = unsafe context else { return nil }
        return unsafe Unmanaged<VirtualFile>.fromOpaque(context).takeUnretainedValue()
    }

    /// The library's callbacks for this file, which must outlive the handle opened on it.
    ///
    /// The corresponding C structure is `SF_VIRTUAL_IO`.
    static var calls: SF_VIRTUAL_IO {
        unsafe SF_VIRTUAL_IO(
            get_filelen: { unsafe VirtualFile.of($0)?.bytes.byteCount ?? -1 },
            seek: { unsafe VirtualFile.of($2)?.seek(to: $0, from: $1) ?? -1 },
            read: { memory, count, context in
                guard let memory = unsafe memory else { return 0 }
                return unsafe VirtualFile.of(context)?.read(into: memory, count: count) ?? 0
            },
            write: { _, _, _ in 0 },
            tell: { unsafe VirtualFile.of($0)?.position ?? -1 })
    }
}
