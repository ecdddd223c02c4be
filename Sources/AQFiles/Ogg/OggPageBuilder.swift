// SPDX-License-Identifier: MIT

/// Divides the packets of a stream into pages (RFC 3533, 6).
struct OggPageBuilder {
    /// A whole page.
    struct Page {
        private(set) var bytes: [UInt8]
        /// The granule position at the end of the last packet that ends in the page; nil if none does.
        var endPosition: Int64?

        fileprivate init(bytes: [UInt8], endPosition: Int64?) {
            self.bytes = bytes
            self.endPosition = endPosition
            updateChecksum()
        }

        /// Whether the page is marked as the last one of the stream.
        var isLast: Bool {
            get { bytes[OggPage.flagsOffset] & OggPage.lastFlag != 0 }
            set {
                guard newValue != isLast else { return }
                bytes[OggPage.flagsOffset] ^= OggPage.lastFlag
                updateChecksum()
            }
        }

        private mutating func updateChecksum() {
            let sum = OggPage.checksum(of: bytes[...])
            for index in 0..<4 {
                bytes[OggPage.checksumOffset + index] = UInt8(truncatingIfNeeded: sum >> UInt32(8 * index))
            }
        }
    }

    private let serial: UInt32
    private var pageNumber: UInt32 = 0
    private var pages: [Page] = []
    /// The page that is not complete: its table of segment lengths, and its contents.
    private var table: [UInt8] = []
    private var contents: [UInt8] = []
    private var endPosition: Int64?
    /// Whether the page begins inside a packet.
    private var isContinued = false

    /// - Parameter serial: The number of the stream, which no other stream of a chain may have.
    init(serial: UInt32) { self.serial = serial }

    /// The size of the contents of the page that is not complete.
    var contentByteCount: Int { contents.count }

    /// Adds a packet. Pages that are full are completed.
    mutating func add(_ packet: OggPacket) {
        var start = 0
        while true {
            if table.count == Self.mostSegments {
                endPage()
                isContinued = start > 0
            }
            let count = min(packet.bytes.count - start, Self.mostSegmentBytes)
            table.append(UInt8(count))
            contents += packet.bytes[start..<start + count]
            start += count
            // A packet ends with the first segment that is not full.
            if count < Self.mostSegmentBytes { break }
        }
        endPosition = packet.endPosition
    }

    /// Completes the page, unless it is empty.
    mutating func endPage(isLast: Bool = false) {
        guard !table.isEmpty else { return }
        var header = HeaderBytes()
        header.append("OggS")
        // The version.
        header.append(little: UInt8(0))
        let flags = (isContinued ? OggPage.continuedFlag : 0) | (pageNumber == 0 ? OggPage.firstFlag : 0)
        header.append(little: flags | (isLast ? OggPage.lastFlag : 0))
        header.append(little: endPosition ?? -1)
        header.append(little: serial)
        header.append(little: pageNumber)
        header.append(little: UInt32(0))
        header.append(little: UInt8(table.count))
        pages.append(Page(bytes: header.bytes + table + contents, endPosition: endPosition))
        pageNumber &+= 1
        (table, contents, endPosition, isContinued) = ([], [], nil, false)
    }

    /// Returns the pages completed since the last call.
    mutating func takePages() -> [Page] {
        defer { pages = [] }
        return pages
    }

    private static let mostSegments = 255
    private static let mostSegmentBytes = 255
}
