// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import BenchKit

@Suite("Thread counts")
struct ThreadCountsTests {
    private static let meterFolder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Meter")
    private static let hasCompiler = ["/usr/bin/cc", "/usr/bin/gcc"].contains {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    @discardableResult
    private func run(
        _ command: String, _ arguments: [String], environment: [String: String] = [:]
    ) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [command] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(command) \(arguments)")
        return text
    }

    /// Builds the meter and the program with known numbers of calls, and runs them.
    private func checked() throws -> PeerLog {
        let folder = FileManager.default.temporaryDirectory.appending(path: "meter-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let source = Self.meterFolder.path
        let meter = "\(folder)/audiometer.so"
        let parts = ["AudioMeter", "memory", "locks", "swift"].map { "\(source)/\($0).c" }
        let shared = ["-std=c11", "-O2", "-fPIC", "-shared"]
        try run("cc", shared + ["-o", meter] + parts)
        try run("cc", shared + ["-DCHECK_LIBRARY", "-o", "\(folder)/libpulse-check.so", "\(source)/check.c"])
        try run(
            "cc",
            [
                "-std=c11", "-O2", "-o", "\(folder)/check", "\(source)/check.c", meter,
                "\(folder)/libpulse-check.so", "-Wl,-rpath,\(folder)", "-lpthread",
            ])
        return try PeerLog(text: run("\(folder)/check", [], environment: ["LD_PRELOAD": meter]))
    }

    @Test("the meter attributes known calls to their callers", .enabled(if: hasCompiler))
    func knownNumbers() throws {
        let log = try checked()
        let thread = try #require(log.threads.first { $0.name == "counted" })
        #expect(thread.callbacks == 7)
        // In each of seven rounds: malloc, realloc, calloc and posix_memalign, and five calls of free.
        #expect(thread.program.allocations == 7 * 4)
        #expect(thread.program.frees == 7 * 5)
        #expect(thread.program.locks == 7 * 2)
        #expect(thread.program.waits == 7)
        #expect(thread.libpulse.allocations == 7)
        #expect(thread.cLibrary.allocations == 7)
        #expect(thread.libpulse.locks == 0 && thread.cLibrary.locks == 0)
        #expect(log.notes["meter_threads_lost"] == "0")
        // Calls before the beginning and after the end are not counted, and other threads made no calls.
        #expect(log.threads.count { !$0.isIdle } == 1)
    }

    @Test("threads of one name are one, and those that did nothing are none")
    func merging() throws {
        func thread(_ callbacks: Int, _ first: Int, _ name: String) throws -> ThreadCounts {
            let numbers = [1, callbacks, first] + [Int](repeating: 0, count: 14)
            return try #require(ThreadCounts(fields: ["meter"] + numbers.map(String.init) + [name]))
        }
        let merged = ThreadCounts.merged([
            try thread(0, 0, "main"), try thread(0, 5, "loop"), try thread(3, 1, "callbacks"),
            try thread(4, 2, "callbacks"),
        ])
        #expect(merged.map(\.name) == ["callbacks", "loop"])
        #expect(merged.map(\.callbacks) == [7, 0])
        #expect(merged.map(\.program.allocations) == [3, 5])
    }

    @Test("a line that is no line of the meter is refused")
    func damagedLine() {
        #expect(throws: BenchError.self) { try PeerLog(text: "meter\t1\t2\t3\tname\n") }
    }
}
