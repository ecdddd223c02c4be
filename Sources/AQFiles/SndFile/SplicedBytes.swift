// SPDX-License-Identifier: MIT

/// The concatenation of ranges of a file and other bytes.
struct SplicedBytes: ReadableBytes {
    enum Piece {
        case file(Range<Int64>)
        case literal([UInt8])
        case other(any ReadableBytes)

        fileprivate var byteCount: Int64 {
            switch self {
            case .file(let bytes): Int64(bytes.count)
            case .literal(let bytes): Int64(bytes.count)
            case .other(let bytes): bytes.byteCount
            }
        }
    }

    let byteCount: Int64
    private let file: any ReadableBytes
    /// The pieces, each with its end offset.
    private let pieces: [(piece: Piece, end: Int64)]

    init(_ pieces: [Piece], of file: any ReadableBytes) {
        var end: Int64 = 0
        self.pieces = pieces.map { piece in
            end += piece.byteCount
            return (piece, end)
        }
        byteCount = end
        self.file = file
    }

    /// Replaces fields of a file with bytes of the same size.
    ///
    /// - Parameter patches: The fields, in ascending order, inside the file.
    init(_ file: any ReadableBytes, patches: [VirtualFile.Patch]) {
        var start: Int64 = 0
        var pieces: [Piece] = []
        for patch in patches where patch.offset >= start {
            pieces += [.file(start..<patch.offset), .literal(patch.bytes)]
            start = patch.offset + Int64(patch.bytes.count)
        }
        self.init(pieces + [.file(start..<max(start, file.byteCount))], of: file)
    }

    func read(at offset: Int64, into memory: UnsafeMutableRawBufferPointer) -> Int {
        guard offset >= 0 else { return 0 }
        var done = 0
        var index = pieces.partitionIndex(isPast: { $0.end > offset })
        while done < memory.count, index < pieces.count {
            let left = pieces[index].end - offset - Int64(done)
            let count = Int(min(Int64(memory.count - done), left))
            let room = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[done..<done + count])
            switch pieces[index].piece {
            case .file(let bytes): done += unsafe file.read(at: bytes.upperBound - left, into: room)
            case .literal(let bytes):
                unsafe room.copyBytes(from: bytes.suffix(Int(left)).prefix(count))
                done += count
            case .other(let bytes): done += unsafe bytes.read(at: bytes.byteCount - left, into: room)
            }
            guard offset + Int64(done) == pieces[index].end else { break }
            index += 1
        }
        return done
    }
}
