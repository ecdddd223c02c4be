// SPDX-License-Identifier: MIT

import Glibc
import Synchronization

/// One connection of an ``HTTPTestServer``.
public final class HTTPTestConnection: Sendable {
    private let descriptor: CInt
    private let closed = Mutex(false)

    init(_ descriptor: CInt) { self.descriptor = descriptor }

    deinit { Glibc.close(descriptor) }

    public var isClosed: Bool { closed.withLock { $0 } }

    /// Ends the connection at once.
    public func close() {
        let wasClosed = closed.withLock { isClosed in
            defer { isClosed = true }
            return isClosed
        }
        if !wasClosed { shutdown(descriptor, CInt(SHUT_RDWR)) }
    }

    /// Sends bytes; returns false if the other side has closed the connection.
    @discardableResult
    public func send(_ bytes: some Sequence<UInt8>) -> Bool {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let sent = unsafe rest.withUnsafeBytes {
                unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            if sent < 0, errno == EINTR { continue }
            guard sent > 0 else {
                close()
                return false
            }
            rest = rest.dropFirst(sent)
        }
        return true
    }

    @discardableResult
    public func send(_ text: String) -> Bool { send(text.utf8) }

    /// Sends a whole response.
    public func respond(_ status: String = "200 OK", _ fields: [String: String] = [:], _ body: [UInt8] = []) {
        var head = "HTTP/1.1 \(status)\r\n"
        for (name, value) in fields { head += "\(name): \(value)\r\n" }
        send(head + "Content-Length: \(body.count)\r\n\r\n")
        send(body)
    }

    /// Sends a file, or the requested part of it.
    public func respond(
        _ request: HTTPTestServer.Request, file: [UInt8], _ fields: [String: String] = [:]
    ) {
        let ranges = ["Accept-Ranges": "bytes"].merging(fields) { $1 }
        guard let range = request.range, range.start < file.count else {
            return respond("200 OK", ranges, file)
        }
        let end = min(range.end.map { $0 + 1 } ?? file.count, file.count)
        let place = ["Content-Range": "bytes \(range.start)-\(end - 1)/\(file.count)"]
        respond("206 Partial Content", ranges.merging(place) { $1 }, Array(file[range.start..<end]))
    }

    /// Reads the next request; nil if the connection has ended.
    func readRequest() -> HTTPTestServer.Request? {
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            var byte: UInt8 = 0
            let got = unsafe recv(descriptor, &byte, 1, 0)
            if got < 0, errno == EINTR { continue }
            guard got == 1, head.count < 65_536 else { return nil }
            head.append(byte)
        }
        let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count == 3 else { return nil }
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            fields[parts[0].lowercased()] = parts[1].drop { $0 == " " }.description
        }
        return HTTPTestServer.Request(path: String(words[1]), fields: fields)
    }
}
