// SPDX-License-Identifier: MIT

import Glibc

/// The offsets of a mark in bytes.
///
/// Searched by the C library, since a search in a debug build takes microseconds a byte.
public func offsets(of mark: String, in bytes: [UInt8]) -> [Int] {
    let mark = Array(mark.utf8)
    guard let first = mark.first else { return [] }
    return unsafe bytes.withUnsafeBytes { bytes in
        guard let base = bytes.baseAddress else { return [] }
        var found: [Int] = []
        var from = 0
        while from + mark.count <= bytes.count,
            let place = unsafe memchr(base + from, CInt(first), bytes.count - mark.count + 1 - from)
        {
            from = unsafe UnsafeRawPointer(place) - base
            if unsafe memcmp(base + from, mark, mark.count) == 0 { found.append(from) }
            from += 1
        }
        return found
    }
}
