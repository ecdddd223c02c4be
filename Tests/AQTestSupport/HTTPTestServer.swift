// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Synchronization

/// A server for HTTP at an unused port of this machine, whose answers a test chooses, also wrong ones.
///
/// Each connection has a thread. It answers requests one after another until one side closes it.
public final class HTTPTestServer: Sendable {
    public struct Request: Sendable, Equatable {
        public var path: String
        /// The fields, by their names in lower case.
        public var fields: [String: String]

        /// The first and last byte of the requested range.
        public var range: (start: Int, end: Int?)? {
            guard let text = fields["range"], text.hasPrefix("bytes=") else { return nil }
            let parts = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
            return parts.count == 2 ? Int(parts[0]).map { ($0, Int(parts[1])) } : nil
        }
    }

    public typealias Answer = @Sendable (Request, HTTPTestConnection) -> Void

    public let port: UInt16
    private let listener: CInt
    private let state = Mutex(State())

    private struct State {
        var connections: [HTTPTestConnection] = []
        var requests: [Request] = []
        var isStopped = false
    }

    /// - Parameters:
    ///   - port: The port; 0 for an unused one.
    ///   - answer: Called on the connection's thread for each request. After it returns, the next request is read.
    public init(port: UInt16 = 0, answer: @escaping Answer) throws {
        signal(SIGPIPE, SIG_IGN)
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard listener >= 0 else { throw HarnessError("no socket: \(errno)") }
        var one: CInt = 1
        unsafe setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<CInt>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        let bound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(descriptor, pointer, size) == 0 && listen(descriptor, 64) == 0
                    && getsockname(descriptor, pointer, &size) == 0
            }
        }
        guard bound else {
            close(listener)
            throw HarnessError("the port \(port) cannot be used: \(errno)")
        }
        self.port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [self] in accept(answer) }
    }

    /// The address of a path that begins with a slash.
    public func address(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    /// The requests so far.
    public var requests: [Request] { state.withLock { $0.requests } }

    /// Closes the port and all connections, as a server does that is killed.
    public func stop() {
        let connections = state.withLock { state in
            state.isStopped = true
            return state.connections
        }
        shutdown(listener, CInt(SHUT_RDWR))
        for connection in connections { connection.close() }
    }

    private func accept(_ answer: @escaping Answer) {
        while true {
            let descriptor = Glibc.accept(listener, nil, nil)
            guard descriptor >= 0 else { break }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            let connection = HTTPTestConnection(descriptor)
            let isStopped = state.withLock { state in
                state.connections.removeAll(where: \.isClosed)
                state.connections.append(connection)
                return state.isStopped
            }
            if isStopped { connection.close() }
            Thread.detachNewThread { [self] in
                while let request = connection.readRequest() {
                    state.withLock { $0.requests.append(request) }
                    answer(request, connection)
                }
                connection.close()
            }
        }
        close(listener)
    }
}
