// SPDX-License-Identifier: MIT

/// A request for a file or a broadcast.
struct HTTPRequest {
    var address: RemoteAddress
    /// The requested bytes; nil for all. If the server does not know the version of the file, it sends all.
    var range: ByteRange?
    /// The version of the file that the range belongs to (`If-Range`).
    var validator: String?
    /// Whether a radio station is asked for titles.
    var wantsTitles = false

    init(_ address: RemoteAddress) { self.address = address }

    struct ByteRange: Equatable {
        var start: Int64
        /// The offset behind the last byte; nil for the end of the file.
        var end: Int64?

        /// The value of the header `Range` without its unit (RFC 9110, 14.1.2).
        var text: String { "\(start)-" + (end.map { "\($0 - 1)" } ?? "") }
    }
}
