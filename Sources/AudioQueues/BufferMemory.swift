import Glibc

/// Zeroed memory for buffers. What nobody touches costs nothing.
///
/// `calloc` clears what it takes from the heap's end. A player that fills a buffer of half a second with a tenth, to be
/// heard at once, would wait for the pages of all of it: each takes two microseconds.
enum BufferMemory {
    /// From here on a block has pages of its own, which the system clears one by one as they are touched.
    private static let leastMappedBytes = 32 << 10

    /// Memory at a multiple of 16 bytes; nil when there is none.
    static func allocate(byteCount: Int) -> UnsafeMutableRawPointer? {
        guard byteCount >= leastMappedBytes else { return unsafe calloc(1, byteCount) }
        let pages = unsafe mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        return unsafe pages == MAP_FAILED ? nil : pages
    }

    /// Frees what was allocated with the same `byteCount`.
    static func free(_ memory: UnsafeMutableRawPointer, byteCount: Int) {
        if byteCount >= leastMappedBytes {
            unsafe munmap(memory, byteCount)
        } else {
            unsafe Glibc.free(memory)
        }
    }
}
