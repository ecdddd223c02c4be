import CSndFile
import Glibc

/// The memory that libsndfile writes an encoded stream to, on its way to the file.
///
/// The library goes on as if nothing had happened when a write fails, and its encoders then hold a stream with
/// a hole. Memory takes all; what the file takes is the writer's business.
@safe final class EncodedBytes {
    /// What the file has not taken yet.
    private(set) var pending: [UInt8] = []
    /// Where packets end in ``pending``.
    private(set) var marks: [StreamMark] = []
    /// What the encoder wrote over bytes that the file has taken.
    private(set) var revisions: [StreamPatch] = []

    private var stream: any EncodedStream
    /// Bytes that the file has taken.
    private var takenBytes: Int64 = 0
    /// Where the encoder stands.
    private var position: Int64 = 0

    init(stream: any EncodedStream) {
        self.stream = stream
    }

    /// True until the file has taken anything.
    var isAtBeginning: Bool { takenBytes == 0 }

    /// Bytes of ``pending`` up to the end of its last packet.
    var wholeCount: Int { marks.last.map { Int($0.bytes - takenBytes) } ?? 0 }

    var isTooLongForEncoder: Bool { stream.isTooLongForEncoder }

    func header(upTo mark: StreamMark?, ofFrames frames: Int64) -> StreamPatch? {
        stream.header(upTo: mark, ofFrames: frames)
    }

    /// Forgets the first pending bytes, which the file has taken.
    func drop(_ count: Int) {
        pending.removeFirst(count)
        takenBytes += Int64(count)
        marks.removeAll { $0.bytes <= takenBytes }
    }

    /// Forgets all that is pending.
    func discard() {
        pending = []
        marks = []
        revisions = []
    }

    /// Writes over bytes written before.
    func apply(_ patch: StreamPatch) {
        var old = patch
        if old.offset < takenBytes {
            let count = Int(min(takenBytes - old.offset, Int64(old.bytes.count)))
            revisions.append(StreamPatch(offset: old.offset, bytes: Array(old.bytes.prefix(count))))
            old = StreamPatch(offset: old.offset + Int64(count), bytes: Array(old.bytes.dropFirst(count)))
        }
        let start = Int(old.offset - takenBytes)
        for (place, byte) in old.bytes.enumerated() where start + place < pending.count {
            pending[start + place] = byte
        }
    }

    private var endBytes: Int64 { takenBytes + Int64(pending.count) }

    private func write(_ bytes: UnsafeRawBufferPointer) -> Int64 {
        if position == endBytes {
            unsafe pending.append(contentsOf: bytes)
            unsafe stream.take(bytes, marks: &marks)
        } else if position + Int64(bytes.count) <= endBytes {
            apply(StreamPatch(offset: position, bytes: unsafe Array(bytes)))
        } else {
            // No encoder writes across the end.
            return 0
        }
        position += Int64(bytes.count)
        return Int64(bytes.count)
    }

    private func seek(to offset: Int64, from origin: CInt) -> Int64 {
        let base: Int64 = origin == SEEK_SET ? 0 : origin == SEEK_CUR ? position : endBytes
        let (target, overflow) = base.addingReportingOverflow(offset)
        guard !overflow, 0...endBytes ~= target else { return -1 }
        position = target
        return target
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> EncodedBytes? {
        guard let context = unsafe context else { return nil }
        return unsafe Unmanaged<EncodedBytes>.fromOpaque(context).takeUnretainedValue()
    }

    /// The memory as the library's calls see it; it must outlive the handle opened on it.
    ///
    /// The corresponding C structure is `SF_VIRTUAL_IO`.
    static var calls: SF_VIRTUAL_IO {
        unsafe SF_VIRTUAL_IO(
            get_filelen: { unsafe EncodedBytes.of($0)?.endBytes ?? -1 },
            seek: { unsafe EncodedBytes.of($2)?.seek(to: $0, from: $1) ?? -1 },
            read: { _, _, _ in 0 },
            write: { memory, count, context in
                let bytes = unsafe UnsafeRawBufferPointer(start: memory, count: Int(count))
                return unsafe EncodedBytes.of(context)?.write(bytes) ?? 0
            },
            tell: { unsafe EncodedBytes.of($0)?.position ?? -1 })
    }
}
