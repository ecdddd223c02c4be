// SPDX-License-Identifier: MIT

import Glibc

/// A request that only learns whether a server answers.
public enum HTTPProbe {
    /// The status of the response to a request for a path; nil if there is none within a second.
    public static func status(port: UInt16, path: String) -> Int? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var limit = timeval(tv_sec: 1, tv_usec: 0)
        unsafe setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isConnected = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        let request = Array("GET \(path) HTTP/1.0\r\n\r\n".utf8)
        guard isConnected, unsafe send(descriptor, request, request.count, CInt(MSG_NOSIGNAL)) > 0 else {
            return nil
        }
        var head = [UInt8](repeating: 0, count: 32)
        let got = unsafe recv(descriptor, &head, head.count, 0)
        guard got >= 12 else { return nil }
        return Int(String(decoding: head[9..<12], as: UTF8.self))
    }
}
