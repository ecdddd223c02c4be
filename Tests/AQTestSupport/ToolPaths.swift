// SPDX-License-Identifier: MIT

import Glibc

/// The folders of the tested tools and the fixtures.
public enum ToolPaths {
    /// The folder of the build's products: AQ_BIN_DIR, or that of the running program.
    public static var binaryFolder: String {
        if let folder = Environment.value("AQ_BIN_DIR") { return folder }
        var path = [CChar](repeating: 0, count: 4096)
        let count = unsafe readlink("/proc/self/exe", &path, path.count)
        let bytes = path.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
        return folder(of: String(decoding: bytes, as: UTF8.self))
    }

    /// The path of a tool that this package builds, such as "aqplay".
    public static func tool(_ name: String) throws -> String {
        let path = "\(binaryFolder)/\(name)"
        guard SystemFile.isExecutable(path) else {
            throw HarnessError("cannot find \(name) in \(binaryFolder): build it, or set AQ_BIN_DIR")
        }
        return path
    }

    /// The path of a file in Fixtures.
    public static func fixture(_ name: String) -> String {
        folder(of: folder(of: folder(of: #filePath))) + "/Fixtures/\(name)"
    }

    public static func isInPath(_ program: String) -> Bool {
        (Environment.value("PATH") ?? "/usr/bin:/bin").split(separator: ":")
            .contains { SystemFile.isExecutable("\($0)/\(program)") }
    }

    private static func folder(of path: String) -> String {
        String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }
}
