import Foundation
import SoundHarness
import Testing

/// Programs in C and C++ against the installed library. Those in Swift are targets of the package.
@Suite("Programs in C and C++", .timeLimit(.minutes(10))) struct ProgramCompilationTests {
    private let toolbox: InstalledToolbox

    init() throws { toolbox = try InstalledToolbox.shared.get() }

    @Test("compile and link with no change made for this library") func programs() throws {
        let sources = try InstalledToolbox.programSources()
        #expect(sources.count >= 30)
        for source in sources {
            do {
                try toolbox.build(source)
            } catch {
                Issue.record(error, "\(source)")
            }
        }
    }

    @Test("that are samples compile without a warning", arguments: [nil, "gcc"] as [String?])
    func samples(compiler: String?) throws {
        if let compiler, !ToolPaths.isInPath(compiler) { return }
        for source in try InstalledToolbox.programSources() where source.hasPrefix("Sources/") {
            try toolbox.build(
                source, with: compiler, flags: ["-Wall", "-Wextra", "-Wno-unused-parameter", "-Werror"])
        }
    }

    @Test("that use no blocks compile with gcc", .enabled(if: ToolPaths.isInPath("gcc")))
    func withGCC() throws {
        let sources = try InstalledToolbox.programSources().filter { !$0.contains("/dispatch_") }
        let hasCXX = ToolPaths.isInPath("g++")
        for source in sources {
            let isCXX = source.hasSuffix(".cpp")
            if isCXX, !hasCXX { continue }
            do {
                try toolbox.build(source, with: isCXX ? "g++" : "gcc")
            } catch {
                Issue.record(error, "\(source)")
            }
        }
    }
}
