// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import Foundation
import Testing

@testable import AQToolSupport

@Suite("Arguments of a tool")
struct ProcessArgumentsTests {
    @Test("are those of the kernel and the Swift runtime")
    func ownArguments() throws {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: "/proc/self/cmdline"))
        let all = bytes.dropLast().split(separator: 0, omittingEmptySubsequences: false)
            .map { FilePath(bytes: $0) }
        expectEqual(ProcessArguments.afterName(), Array(all.dropFirst()))
        expectEqual(ProcessArguments.afterName(), CommandLine.arguments.dropFirst().map { FilePath($0) })
    }
}
