// SPDX-License-Identifier: MIT

/// The length and a hash of the bytes that a server sent, to recognise the same bytes (FNV-1a).
struct AnswerDigest: Equatable {
    private var byteCount: Int64 = 0
    private var hash: UInt64 = 0xCBF2_9CE4_8422_2325

    var isEmpty: Bool { byteCount == 0 }

    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        byteCount += Int64(bytes.count)
        hash = unsafe bytes.reduce(hash) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
