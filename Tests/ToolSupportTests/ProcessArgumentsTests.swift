import AudioFiles
import Foundation
import Testing

@testable import ToolSupport

@Suite("What a tool was called with")
struct ProcessArgumentsTests {
    @Test("is what the kernel and the Swift runtime say")
    func ownArguments() throws {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: "/proc/self/cmdline"))
        let all = bytes.dropLast().split(separator: 0, omittingEmptySubsequences: false)
            .map { FilePath(bytes: $0) }
        #expect(ProcessArguments.afterName() == Array(all.dropFirst()))
        #expect(ProcessArguments.afterName() == CommandLine.arguments.dropFirst().map { FilePath($0) })
    }
}
