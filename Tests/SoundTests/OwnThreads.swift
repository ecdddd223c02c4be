// SPDX-License-Identifier: MIT

import Foundation
import AQTestSupport

/// The threads of this process.
enum OwnThreads {
    static var all: Set<Int32> {
        Set(
            ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []).compactMap {
                Int32($0)
            })
    }

    /// Those with a name, as the kernel reports it. Our threads have their names once they run.
    static func identifiers(named name: String) -> Set<Int32> { all.filter { self.name(of: $0) == name } }

    static func name(of thread: Int32) -> String? {
        (try? String(contentsOfFile: "/proc/self/task/\(thread)/comm", encoding: .utf8))?
            .trimmingCharacters(in: .newlines)
    }

    /// The policy of a thread, without the flag that it is reset in child processes.
    static func schedulingPolicy(of thread: Int32) -> Int32 {
        sched_getscheduler(thread) & ~0x4000_0000
    }

    /// The calling thread.
    static var current: Int32 {
        let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
        return link.flatMap { Int32($0.split(separator: "/").last ?? "") } ?? 0
    }

    /// Whether a thread waits.
    static func isAsleep(_ thread: Int32) -> Bool {
        let status = SystemFile.contents(ofPath: "/proc/self/task/\(thread)/stat")
        return String(decoding: status, as: UTF8.self).split(separator: ") ").last?.hasPrefix("S") == true
    }

    /// The main loop threads of connections to sound servers.
    static var loops: Set<Int32> { identifiers(named: "aq pulse") }
}
