// SPDX-License-Identifier: MIT

/// The kind of content behind an address, as its first response shows.
enum Discovery {
    /// Bytes that can only be read in order; they arrive in the fetcher's buffer.
    case stream(StationFacts)
    /// A file whose bytes can be requested at any offset.
    case file(RemoteFileFacts, HTTPClient)
    /// A playlist, with its address after redirections.
    case playlist([UInt8], ContentKind, RemoteAddress)
}

/// The file behind an address, and its first bytes.
struct RemoteFileFacts {
    var address: RemoteAddress
    var byteCount: Int64
    /// The version of the file, if the server states one.
    var validator: String?
    var head: [UInt8]
}

/// The name and properties that a radio station states in its response.
public struct StationFacts: Sendable, Equatable {
    public var name: String?
    public var genre: String?
    public var homepage: String?
    /// The bit rate in bits per second.
    public var bitRate: Double?
    /// The number of bytes of audio before each title; nil if the station sends none.
    var titleInterval: Int?
    /// Whether the stream has no end.
    public var isBroadcast = false
    /// Whether nothing states an end: the stream is a broadcast, or the server sends no size. Only its end shows that it
    /// has one.
    public var mayBeEndless = true

    /// The facts of a stream that states none.
    init() {}

    package init(_ response: HTTPResponse) {
        name = Self.text(response["icy-name"])
        genre = Self.text(response["icy-genre"])
        homepage = Self.text(response["icy-url"])
        // Some stations list the rates of all their streams.
        let rate = response["icy-br"]?.split(separator: ",").first.flatMap { Double($0) }
        bitRate = rate.flatMap { 1...100_000 ~= $0 ? $0 * 1000 : nil }
        titleInterval = response["icy-metaint"].flatMap { Int($0) }
        isBroadcast = response.isBroadcast
        mayBeEndless = isBroadcast || response.contentLength == nil
    }

    /// The text without control characters; nil if it is empty.
    private static func text(_ value: String?) -> String? {
        value.map { StreamText.decode(Array($0.utf8)[...]) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
