// SPDX-License-Identifier: MIT

import AQFiles

/// One file of a broadcast: the bytes of an ``ArrivalBuffer`` up to the next boundary.
final class ProgramStream: ByteStream {
    private let buffer: ArrivalBuffer
    /// Whether the boundary was found; false at the end of the whole stream.
    private(set) var hasNext = false
    private var hasEnded = false
    private var failure: AudioFileError?

    private let connection: NetworkConnection

    /// - Parameter connection: What fills the buffer, kept as long as the stream is.
    init(_ buffer: ArrivalBuffer, _ connection: NetworkConnection) {
        self.buffer = buffer
        self.connection = connection
    }

    func read(into memory: UnsafeMutableRawBufferPointer) throws(AudioFileError) -> Int {
        if let failure { throw failure }
        guard !hasEnded, memory.count > 0 else { return 0 }
        switch unsafe buffer.read(into: memory) {
        case .bytes(let count): return count
        case .boundary: (hasEnded, hasNext) = (true, true)
        case .end(let failure):
            hasEnded = true
            self.failure = failure.map { AudioFileError(.unreadable, $0.reason) }
            if let failure = self.failure { throw failure }
        }
        return 0
    }

    /// Reads to the boundary; returns false at the end of the whole stream.
    ///
    /// - Throws: `unreadable` if the stream has failed.
    func skipRest() throws(AudioFileError) -> Bool {
        var block = [UInt8](repeating: 0, count: 4096)
        while !hasEnded {
            _ = try unsafe block.withUnsafeMutableBufferPointer { block throws(AudioFileError) in
                try unsafe read(into: UnsafeMutableRawBufferPointer(block))
            }
        }
        if let failure { throw failure }
        return hasNext
    }

    func wait(milliseconds: Int64?) -> Bool { hasEnded || buffer.wait(milliseconds: milliseconds) }
}
