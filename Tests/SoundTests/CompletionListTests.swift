// SPDX-License-Identifier: MIT

import AQExpectations
import AQSoundHarness
import AQTestTraits
import Testing

@Suite("The devices that completion offers", .besideOthers, .timeLimit(.minutes(1)))
struct CompletionListTests {
    /// The names in a tool's list for an option.
    private func names(_ tool: String, _ option: String, environment: [String: String?]) throws -> [String] {
        let result = try ChildProcess.run(
            try ToolPaths.tool(tool), ["--generate-values=\(option)"], environment: environment)
        #expect(result.exitStatus == 0 && result.standardError.isEmpty, "\(result.standardError)")
        return result.standardOutput.split(separator: "\n").map { line in String(line.prefix { $0 != "\t" }) }
    }

    @Test("are those of the server, and the virtual ones")
    func server() throws {
        let server = try PulseServer()
        let environment = server.environment
        try expectEqual(names("aqplay", "device", environment: environment), ["test", "virtual"])
        try expectEqual(names("aqrecord", "monitor", environment: environment), ["default", "test"])
        let sources = try names("aqrecord", "device", environment: environment)
        #expect(sources.contains("test.monitor") && sources.contains("virtual:tone="))
    }

    @Test("are the virtual ones without a server, silently")
    func noServer() throws {
        let environment = ["PULSE_SERVER": "unix:/nonexistent"]
        try expectEqual(names("aqplay", "device", environment: environment), ["virtual"])
        try expectEqual(names("aqrecord", "monitor", environment: environment), ["default"])
    }
}
