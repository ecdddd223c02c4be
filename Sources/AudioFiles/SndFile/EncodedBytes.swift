import CSndFile
import Glibc

/// The memory that libsndfile writes an encoded stream to, before it is written to the file.
///
/// If a write fails, the library continues as if it had succeeded, and the encoder's stream has a hole. Writes to
/// memory do not fail; the writer handles errors of the file.
@safe final class EncodedBytes {
    /// The bytes that are not in the file yet.
    private(set) var pending: [UInt8] = []
    /// The ends of packets in ``pending``.
    private(set) var marks: [StreamMark] = []
    /// Changes by the encoder to bytes that are already in the file.
    private(set) var revisions: [StreamPatch] = []

    private var stream: any EncodedStream
    /// The bytes that are in the file.
    private var takenBytes: Int64 = 0
    /// The encoder's write position.
    private var position: Int64 = 0

    init(stream: any EncodedStream) {
        self.stream = stream
    }

    /// Whether no bytes are in the file yet.
    var isAtBeginning: Bool { takenBytes == 0 }

    /// The bytes of ``pending`` up to the end of its last packet.
    var wholeCount: Int { marks.last.map { Int($0.bytes - takenBytes) } ?? 0 }

    var isTooLongForEncoder: Bool { stream.isTooLongForEncoder }

    func header(upTo mark: StreamMark?, ofFrames frames: Int64) -> StreamPatch? {
        stream.header(upTo: mark, ofFrames: frames)
    }

    /// Drops the first pending bytes, which are now in the file.
    func drop(_ count: Int) {
        pending.removeFirst(count)
        takenBytes += Int64(count)
        marks.removeAll { $0.bytes <= takenBytes }
    }

    /// Drops all pending bytes.
    func discard() {
        pending = []
        marks = []
        revisions = []
    }

    /// Overwrites earlier bytes.
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

    /// The library's callbacks for this memory, which must outlive the handle opened on it.
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
