import Foundation

/// The threads of this process.
enum OwnThreads {
    static var all: Set<Int32> {
        Set(
            ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []).compactMap {
                Int32($0)
            })
    }

    /// Those with a name, as the kernel reports it. Our threads have their names once they run.
    static func identifiers(named name: String) -> Set<Int32> {
        all.filter {
            (try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)) == "\(name)\n"
        }
    }

    /// The main loop threads of connections to sound servers.
    static var loops: Set<Int32> { identifiers(named: "aq pulse") }
}
