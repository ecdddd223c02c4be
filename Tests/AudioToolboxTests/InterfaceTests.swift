import Foundation
import Testing

@Suite struct InterfaceTests {
    /// The script tells on standard error of each row of the table that does not hold.
    @Test("the C headers declare what the table of the published interface lists, and nothing else")
    func headersDeclareWhatIsPublished() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let errors = Pipe()
        let process = Process()
        process.executableURL = folder.appending(path: "Interface/check.sh")
        process.standardError = errors
        try process.run()
        let messages = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(String(decoding: messages, as: UTF8.self))")
    }
}
