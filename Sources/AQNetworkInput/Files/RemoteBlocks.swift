// SPDX-License-Identifier: MIT

/// The blocks of a file on a server that are in memory.
struct RemoteBlocks {
    /// The size of a block, in bytes. Only the last block of a file is smaller.
    static let blockBytes: Int64 = 64 << 10
    /// The largest number of blocks in memory, 64 MiB.
    static let mostBlocks = 1024

    let byteCount: Int64
    private var blocks: [Int64: [UInt8]] = [:]
    /// The numbers of the blocks, in the order in which they arrived.
    private var order: [Int64] = []

    init(byteCount: Int64) { self.byteCount = byteCount }

    static func block(of offset: Int64) -> Int64 { offset / blockBytes }

    /// The range of a block in a file; empty behind its end.
    static func range(of block: Int64, inFileOf byteCount: Int64) -> Range<Int64> {
        let start = min(block * blockBytes, byteCount)
        return start..<min(start + blockBytes, byteCount)
    }

    func contains(_ block: Int64) -> Bool { blocks[block] != nil }

    /// Whether a block of the file is not in memory.
    func lacks(_ block: Int64) -> Bool {
        !contains(block) && !Self.range(of: block, inFileOf: byteCount).isEmpty
    }

    /// Adds a block; the oldest block is dropped if there are too many.
    mutating func insert(_ block: Int64, _ bytes: [UInt8]) {
        guard blocks.updateValue(bytes, forKey: block) == nil else { return }
        order.append(block)
        if order.count > Self.mostBlocks { blocks[order.removeFirst()] = nil }
    }

    /// Copies bytes of one block; returns how many, 0 if the block is not in memory.
    func copy(from offset: Int64, into memory: UnsafeMutableRawBufferPointer) -> Int {
        guard let bytes = blocks[Self.block(of: offset)] else { return 0 }
        let start = Int(offset % Self.blockBytes)
        let count = min(bytes.count - start, memory.count)
        guard count > 0 else { return 0 }
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe memory.copyMemory(
                from: UnsafeRawBufferPointer(rebasing: bytes[start..<(start + count)]))
        }
        return count
    }

    /// The blocks to request next, from `block` on: at most `most`, up to the first that is in memory.
    func missing(from block: Int64, most: Int64) -> Range<Int64> {
        let end = min(block + most, (byteCount + Self.blockBytes - 1) / Self.blockBytes)
        var next = block
        while next < end, !contains(next) { next += 1 }
        return block..<max(next, block)
    }
}
