import CoreAudioTypes
import Glibc

/// A window onto the bytes of a file or pipe, for framing.
///
/// A file is read at any offset. A pipe is read forwards; the last bytes are kept, so that framing can look
/// ahead and step back. Memory is limited to one window, whatever size the file claims.
///
/// Used by one thread at a time.
@safe public final class MPEGByteSource {
    /// The size of the file when it was opened; nil for a pipe.
    public let fileBytes: Int64?
    /// The error of the read that failed; reading ends there.
    public private(set) var failure: MPEGAudioError?

    private let fileDescriptor: CInt
    private let buffer: UnsafeMutableRawBufferPointer
    private var windowStart: Int64 = 0
    private var windowBytes = 0

    /// Reads from an open file descriptor, which remains the caller's.
    ///
    /// - Parameters:
    ///   - fileDescriptor: Open for reading; it must outlive this source.
    ///   - fileBytes: The file's length, or nil if it can only be read forwards.
    ///   - head: Bytes that the caller has already read from a pipe; at most ``windowCapacity``.
    public init(fileDescriptor: CInt, fileBytes: Int64?, head: [UInt8] = []) {
        self.fileDescriptor = fileDescriptor
        self.fileBytes = fileBytes
        unsafe buffer = .allocate(byteCount: Self.windowCapacity, alignment: 16)
        windowBytes = min(head.count, Self.windowCapacity)
        unsafe buffer.copyBytes(from: head.prefix(windowBytes))
    }

    deinit { unsafe buffer.deallocate() }

    /// The largest number of bytes that one call returns.
    public static let windowCapacity = 65536

    /// The number of bytes of a pipe that are kept before the offset last requested.
    static let historyBytes = 16384

    /// Returns the bytes from `offset`, valid until the next call on this source.
    ///
    /// - Parameters:
    ///   - offset: From the beginning of the file. In a pipe not further back than the history.
    ///   - leastBytes: The number of bytes required, at most ``windowCapacity`` less the history. Fewer are
    ///     returned only before the end of the file or a failure.
    public func bytes(at offset: Int64, leastBytes: Int) -> UnsafeRawBufferPointer {
        let distance = offset - windowStart
        if distance < 0 || distance + Int64(leastBytes) > Int64(windowBytes) {
            fill(at: offset, leastBytes: leastBytes)
        }
        let skipped = offset - windowStart
        guard skipped >= 0, skipped <= windowBytes else {
            return unsafe UnsafeRawBufferPointer(rebasing: buffer[..<0])
        }
        return unsafe UnsafeRawBufferPointer(rebasing: buffer[Int(skipped)..<windowBytes])
    }

    private func fill(at offset: Int64, leastBytes: Int) {
        guard failure == nil, offset >= 0 else { return }
        if fileBytes != nil {
            windowStart = offset
            windowBytes = 0
            while windowBytes < leastBytes, readFile() {}
        } else {
            while windowStart + Int64(windowBytes) < offset + Int64(leastBytes) {
                dropHistory(before: offset)
                guard readPipe() else { return }
            }
        }
    }

    /// Makes room by dropping bytes further back than the history.
    private func dropHistory(before offset: Int64) {
        let keptFrom = min(
            max(windowStart, offset - Int64(Self.historyBytes)), windowStart + Int64(windowBytes))
        let dropped = Int(keptFrom - windowStart)
        // Moving costs more than it saves unless the room is needed.
        guard dropped > 0, unsafe windowBytes + 4096 > buffer.count, let start = unsafe buffer.baseAddress
        else { return }
        unsafe start.copyMemory(from: start + dropped, byteCount: windowBytes - dropped)
        windowStart = keptFrom
        windowBytes -= dropped
    }

    private func readFile() -> Bool {
        let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[windowBytes...])
        let (got, number) = unsafe readFully(
            fileDescriptor, at: windowStart + Int64(windowBytes), into: room)
        windowBytes += got
        return number == 0 ? got > 0 : fail(number)
    }

    private func readPipe() -> Bool {
        let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[windowBytes...])
        guard room.count > 0 else { return false }
        while true {
            let got = unsafe read(fileDescriptor, room.baseAddress, room.count)
            if got >= 0 {
                windowBytes += got
                return got > 0
            }
            if errno != EINTR { return fail(errno) }
        }
    }

    private func fail(_ number: CInt) -> Bool {
        let reason = unsafe String(cString: strerror(number))
        failure = MPEGAudioError(
            .readFailed, "cannot read at byte \(windowStart + Int64(windowBytes)): \(reason)")
        return false
    }
}
