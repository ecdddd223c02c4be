// SPDX-License-Identifier: MIT

/// Memory that lives as long as its owner, aligned for vectors of every sample type.
@safe final class ScratchMemory {
    let byteCount: Int
    // SAFETY: `byteCount` bytes of zeros, allocated by the initialiser and freed by deinit.
    @unsafe let start: UnsafeMutableRawPointer

    init(byteCount: Int) {
        self.byteCount = max(byteCount, 1)
        unsafe start = .allocate(byteCount: self.byteCount, alignment: 64)
        unsafe start.initializeMemory(as: UInt8.self, repeating: 0, count: self.byteCount)
    }

    deinit {
        unsafe start.deallocate()
    }
}
