// SPDX-License-Identifier: MIT

import AQTestSupport

/// The tools of the package, as the Makefile lists them, and their hidden options.
enum InstalledTools {
    /// The folder of the package.
    static let root = String(
        #filePath.dropLast("/Tests/AQToolSupportTests/Generation/InstalledTools.swift".count))

    static let names: [String] = {
        let lines = text(ofFile: "Makefile").split(separator: "\n")
        let line = lines.first { $0.hasPrefix("TOOLS = ") } ?? ""
        return line.split(separator: " ").dropFirst(2).map(String.init)
    }()

    static func text(ofFile path: String) -> String {
        String(decoding: SystemFile.contents(ofPath: "\(root)/\(path)"), as: UTF8.self)
    }

    /// The output of a tool that must succeed.
    static func output(_ tool: String, _ argument: String) throws -> String {
        let result = try ChildProcess.run(try ToolPaths.tool(tool), [argument])
        guard result.exitStatus == 0 else {
            throw HarnessError("\(tool) \(argument): status \(result.exitStatus)\n\(result.standardError)")
        }
        return result.standardOutput
    }

    /// The long options that `--help` lists, with their dashes.
    static func options(of tool: String) throws -> [String] {
        try output(tool, "--help").matches(of: /(?m)^  (?:-., |    )(--[\w-]+)/).map { String($0.output.1) }
    }
}
