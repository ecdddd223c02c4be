import Foundation
import Testing

@testable import ToolSupport

@Suite("What a tool was called with")
struct ProcessArgumentsTests {
    @Test("is what the kernel and the Swift runtime say")
    func ownArguments() {
        #expect(ProcessArguments.arguments(inFile: "/proc/self/cmdline") != nil)
        #expect(ProcessArguments.afterName() == Array(CommandLine.arguments.dropFirst()))
    }

    @Test("keeps empty ones, long ones, and what is no text")
    func strange() throws {
        let long = String(repeating: "x", count: 100_000)
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("arguments-\(getpid())")
        defer { try? FileManager.default.removeItem(at: url) }
        try (Data("tool\0\0a b\0\(long)\0".utf8) + [0xFF, 0, 0]).write(to: url)
        #expect(
            ProcessArguments.arguments(inFile: url.path) == ["", "a b", long, "\u{FFFD}", ""])
    }

    @Test("is asked of the runtime where there is nothing to read")
    func missing() {
        #expect(ProcessArguments.arguments(inFile: "/no/such/file") == nil)
    }
}
