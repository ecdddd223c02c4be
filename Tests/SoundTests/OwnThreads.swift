import Foundation

/// The threads of this process.
enum OwnThreads {
    /// Those of a name, as the kernel knows it.
    static func identifiers(named name: String) -> Set<Int32> {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return Set(
            threads.compactMap { text in
                let found = try? String(contentsOfFile: "/proc/self/task/\(text)/comm", encoding: .utf8)
                return found == "\(name)\n" ? Int32(text) : nil
            })
    }

    /// Those that run the main loops of connections to sound servers.
    static var loops: Set<Int32> { identifiers(named: "aq pulse") }
}
