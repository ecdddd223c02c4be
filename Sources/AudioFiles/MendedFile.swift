import CSndFile
import Glibc

/// A file in which some fields read as what they should have been.
///
/// A recorder that was killed, or wrote to a pipe, leaves the length of the audio at 0 or open. libsndfile takes that
/// for no audio, for damage or for 4 GiB, though all of it is there. And there is what it must not be shown: see
/// ``RIFFTraps``.
@safe final class MendedFile {
    private let file: OpenFile
    private let fileBytes: Int64
    private let patches: [Patch]
    private var position: Int64 = 0

    /// Bytes that stand in for those of the file.
    typealias Patch = (offset: Int64, bytes: [UInt8])

    init?(file: OpenFile, patches: [Patch]) {
        guard let fileBytes = file.bytes else { return nil }
        self.file = file
        self.fileBytes = fileBytes
        self.patches = patches
    }

    private func read(into memory: UnsafeMutableRawPointer, count: Int64) -> Int64 {
        var done = 0
        while Int64(done) < count {
            let got = unsafe pread(
                file.descriptor, memory + done, Int(count) - done, off_t(position) + off_t(done))
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { break }
            done += got
        }
        let shown = position..<position + Int64(done)
        for patch in patches where patch.offset < shown.upperBound {
            for (place, byte) in patch.bytes.enumerated() where shown ~= patch.offset + Int64(place) {
                unsafe memory.storeBytes(
                    of: byte, toByteOffset: Int(patch.offset - position) + place, as: UInt8.self)
            }
        }
        position += Int64(done)
        return Int64(done)
    }

    private func seek(to offset: Int64, from origin: CInt) -> Int64 {
        let base: Int64 = origin == SEEK_SET ? 0 : origin == SEEK_CUR ? position : fileBytes
        let (target, overflow) = base.addingReportingOverflow(offset)
        guard !overflow, target >= 0 else { return -1 }
        position = target
        return target
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> MendedFile? {
        guard let context = unsafe context else { return nil }
        return unsafe Unmanaged<MendedFile>.fromOpaque(context).takeUnretainedValue()
    }

    /// The file as the library's calls see it; it must outlive the handle opened on it.
    ///
    /// The corresponding C structure is `SF_VIRTUAL_IO`.
    static var calls: SF_VIRTUAL_IO {
        unsafe SF_VIRTUAL_IO(
            get_filelen: { unsafe MendedFile.of($0)?.fileBytes ?? -1 },
            seek: { unsafe MendedFile.of($2)?.seek(to: $0, from: $1) ?? -1 },
            read: { memory, count, context in
                guard let memory = unsafe memory else { return 0 }
                return unsafe MendedFile.of(context)?.read(into: memory, count: count) ?? 0
            },
            write: { _, _, _ in 0 },
            tell: { unsafe MendedFile.of($0)?.position ?? -1 })
    }
}
