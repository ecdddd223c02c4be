// SPDX-License-Identifier: MIT

/// The bytes of a pipe from the first one that is still needed, read as far as a caller may wait.
final class ArrivingBytes {
    enum Arrival {
        case some
        /// No more bytes follow.
        case none
        /// Further bytes would require a wait.
        case late
    }

    let queue = ByteQueue()
    /// Whether reading may wait for bytes.
    var mayWait = true
    private(set) var isAtEnd = false
    /// The reason why the bytes ended; nil if the pipe ended.
    private(set) var failure: AudioFileError?

    private let source: any PipeBytes
    private var block = [UInt8](repeating: 0, count: ArrivingBytes.blockBytes)

    /// - Parameter head: The bytes already read from `source`.
    init(_ source: any PipeBytes, head: [UInt8] = []) {
        self.source = source
        unsafe head.withUnsafeBytes { unsafe queue.append($0) }
    }

    /// Adds available bytes to the queue, or waits for some.
    func readMore() -> Arrival {
        guard !isAtEnd else { return .none }
        guard mayWait || source.isReady else { return .late }
        do throws(AudioFileError) {
            let got = try source.readSome(into: &block)
            isAtEnd = got == 0
            unsafe block.withUnsafeBytes { unsafe queue.append(UnsafeRawBufferPointer(rebasing: $0[..<got])) }
        } catch {
            failure = error
            isAtEnd = true
        }
        return isAtEnd ? .none : .some
    }

    /// Reads until a number of bytes is available; returns false if the bytes end before, or would require a wait.
    func hold(_ count: Int) -> Bool {
        while queue.count < count {
            guard case .some = readMore() else { return false }
        }
        return true
    }

    private static let blockBytes = 16 << 10
}
