// SPDX-License-Identifier: MIT

import AQExpectations
import Foundation
import AQSoundHarness
import Testing

@Suite struct InterfaceTests {
    @Test("the C headers declare what the table of the published interface lists, and nothing else")
    func headersDeclareWhatIsPublished() throws { try expectSuccess(of: "check.sh") }

    @Test("each function, property, parameter and result is tested, and the article names the test")
    func everythingIsExercised() throws { try expectSuccess(of: "make-table.sh", "--check") }

    /// The scripts print each failing row of the table to standard error.
    private func expectSuccess(of script: String, _ arguments: String...) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let path = folder.appending(path: "Interface/\(script)").path(percentEncoded: false)
        let result = try ChildProcess.run(path, arguments)
        expectEqual(result.exitStatus, 0, "\(result.standardError)")
    }
}
