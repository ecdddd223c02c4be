import Foundation
import Testing

@Suite struct InterfaceTests {
    @Test("the C headers declare what the table of the published interface lists, and nothing else")
    func headersDeclareWhatIsPublished() throws { try expectSuccess(of: "check.sh") }

    @Test("something exercises each function, property, parameter and result, and the article tells what")
    func everythingIsExercised() throws { try expectSuccess(of: "make-table.sh", "--check") }

    /// The scripts tell on standard error of each row of the table that does not hold.
    private func expectSuccess(of script: String, _ arguments: String...) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let errors = Pipe()
        let process = Process()
        process.executableURL = folder.appending(path: "Interface/\(script)")
        process.arguments = arguments
        process.standardError = errors
        try process.run()
        let messages = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(String(decoding: messages, as: UTF8.self))")
    }
}
