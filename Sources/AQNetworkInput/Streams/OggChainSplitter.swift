// SPDX-License-Identifier: MIT

/// A search for the beginnings of chained streams in the pages of an Ogg broadcast (RFC 3533, 4 and 6).
///
/// A station begins another stream with each title. Bytes pass in pieces of any size.
package struct OggChainSplitter {
    /// The bytes of the present page's header so far.
    private var header: [UInt8] = []
    /// The number of bytes until the next page.
    private var bodyBytes = 0
    /// Whether all pages so far begin streams.
    private var isBeginning = true

    package init() {}

    /// Passes bytes on, and reports where another stream begins.
    ///
    /// - Parameters:
    ///   - bytes: The next bytes.
    ///   - take: Receives all bytes, in order.
    ///   - boundary: Called in front of the first page of another stream.
    package mutating func append(
        _ bytes: UnsafeRawBufferPointer, take: (UnsafeRawBufferPointer) -> Void, boundary: () -> Void
    ) {
        var position = 0
        while position < bytes.count {
            if bodyBytes > 0 {
                let count = min(bodyBytes, bytes.count - position)
                unsafe take(UnsafeRawBufferPointer(rebasing: bytes[position..<(position + count)]))
                bodyBytes -= count
                position += count
                continue
            }
            unsafe header.append(bytes[position])
            position += 1
            guard isHeaderWhole else { continue }
            if isPage {
                let isFirst = header[5] & 2 != 0
                if isFirst, !isBeginning { boundary() }
                isBeginning = isFirst
                bodyBytes = header[27...].reduce(0) { $0 + Int($1) }
            }
            unsafe header.withUnsafeBytes { unsafe take($0) }
            header.removeAll(keepingCapacity: true)
        }
    }

    private static let mark = Array("OggS".utf8)
    private static let headerBytes = 27

    private var isPage: Bool { header.count >= Self.headerBytes && header.starts(with: Self.mark) }

    /// Whether the header is complete, or is none: then its bytes are passed on until the next mark.
    private var isHeaderWhole: Bool {
        guard header.elementsEqual(Self.mark.prefix(header.count)) || header.count > Self.mark.count else {
            return true
        }
        return header.count >= Self.headerBytes && header.count == Self.headerBytes + Int(header[26])
    }
}
