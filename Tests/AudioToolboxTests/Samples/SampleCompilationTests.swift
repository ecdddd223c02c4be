import Foundation
import Testing

@Suite("The sample programs in C")
struct SampleCompilationTests {
    /// With the compiler of the toolchain, which brings CoreFoundation's headers along.
    private static let script = """
        toolchain=$(dirname "$(realpath "$(command -v swiftc)")")
        "$toolchain/clang" -fsyntax-only -std=gnu11 -Wall -Wextra -Wno-unused-parameter -Werror \
            -I CAudioToolbox/include -I CAudioQueueTypes/include \
            -I CCoreAudio/include -I CCoreAudioTypes/include \
            -isystem "$toolchain/../lib/swift" "AudioToolboxSamples/$1"
        """

    @Test("compile without a warning", arguments: ["player.c", "recorder.c"])
    func compile(program: String) throws {
        let errors = Pipe()
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", Self.script, "sh", program]
        process.currentDirectoryURL = Article.sources
        process.standardError = errors
        try process.run()
        let messages = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(String(decoding: messages, as: UTF8.self))")
    }
}
