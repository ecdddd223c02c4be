import Foundation

/// The threads of this process.
enum OwnThreads {
    static var all: Set<Int32> {
        Set(
            ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []).compactMap {
                Int32($0)
            })
    }

    /// Those of a name, as the kernel knows it. A thread of ours has its name from when it runs.
    static func identifiers(named name: String) -> Set<Int32> {
        all.filter {
            (try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)) == "\(name)\n"
        }
    }

    /// Those that run the main loops of connections to sound servers.
    static var loops: Set<Int32> { identifiers(named: "aq pulse") }
}
