// SPDX-License-Identifier: MIT

import Glibc

/// A thread of this process, as the kernel shows it.
struct ThreadStatus: Sendable, Equatable {
    private let folder: String

    static var ofThisThread: ThreadStatus {
        var link = [CChar](repeating: 0, count: 64)
        let count = unsafe readlink("/proc/thread-self", &link, link.count)
        let bytes = link.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
        return ThreadStatus(folder: "/proc/" + String(decoding: bytes, as: UTF8.self))
    }

    var name: String { field("Name") ?? "" }

    var isAsleep: Bool { field("State")?.hasPrefix("S") == true }

    /// How often it has started to wait.
    var waits: Int { field("voluntary_ctxt_switches").flatMap { Int($0) } ?? 0 }

    private func field(_ key: String) -> String? {
        let file = unsafe open("\(folder)/status", O_RDONLY)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var text = [UInt8](repeating: 0, count: 4096)
        let bytes = unsafe read(file, &text, text.count)
        let lines = String(decoding: text.prefix(max(0, bytes)), as: UTF8.self).split(separator: "\n")
        return lines.first { $0.hasPrefix("\(key):\t") }.map { String($0.dropFirst(key.count + 2)) }
    }
}
