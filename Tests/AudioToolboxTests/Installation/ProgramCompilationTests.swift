// SPDX-License-Identifier: MIT

import Foundation
import AQSoundHarness
import AQTestTraits
import Testing

/// Programs in C and C++ against the installed library. Those in Swift are targets of the package.
@Suite("Programs in C and C++", .waiting, .timeLimit(.minutes(10))) struct ProgramCompilationTests {
    private let toolbox: InstalledToolbox

    init() throws { toolbox = try InstalledToolbox.shared.get() }

    /// Builds programs that have not been built, and reports each failure.
    private func build(_ sources: [String], with compiler: InstalledToolbox.Compiler) {
        for source in sources {
            do {
                try toolbox.program(of: source, by: compiler)
            } catch {
                Issue.record(error, "\(source)")
            }
        }
    }

    @Test("compile and link without changes") func programs() throws {
        let sources = try InstalledToolbox.programSources()
        #expect(sources.count >= 30)
        build(sources, with: .clang)
    }

    @Test("that are samples compile without a warning")
    func samples() throws { try buildSamples(with: .clang) }

    @Test(
        "that are samples compile with gcc without a warning",
        .enabled(if: ToolPaths.isInPath("gcc"), "gcc is not installed"))
    func samplesWithGCC() throws { try buildSamples(with: .gcc) }

    private func buildSamples(with compiler: InstalledToolbox.Compiler) throws {
        build(try InstalledToolbox.programSources().filter { $0.hasPrefix("Sources/") }, with: compiler)
    }

    @Test(
        "in C without blocks compile with gcc",
        .enabled(if: ToolPaths.isInPath("gcc"), "gcc is not installed"))
    func withGCC() throws { try check(".c", with: "gcc", "-std=gnu11") }

    @Test(
        "in C++ without blocks compile with g++",
        .enabled(if: ToolPaths.isInPath("g++"), "g++ is not installed"))
    func withGXX() throws { try check(".cpp", with: "g++", "-std=c++17") }

    /// Compiles programs without writing them: that they link is tested with clang, and with the samples.
    private func check(_ suffix: String, with compiler: String, _ standard: String) throws {
        let sources = try InstalledToolbox.programSources().filter {
            !$0.contains("/dispatch_") && $0.hasSuffix(suffix)
        }
        #expect(!sources.isEmpty)
        for source in sources {
            do {
                try InstalledToolbox.output(
                    of: compiler,
                    [standard, "-fsyntax-only"] + toolbox.compilerFlags + [
                        "\(InstalledToolbox.root)/\(source)"
                    ])
            } catch {
                Issue.record(error, "\(source)")
            }
        }
    }

    private static let unitPrograms = ["unit_finder", "graph_names"]

    @Test("with audio units compile as C99 and as C++17", arguments: unitPrograms)
    func oldStandard(program: String) throws {
        try checkStandard(program, "c", "c99", with: "\(toolbox.toolchain)/clang")
        try checkStandard(program, "c++", "c++17", with: "\(toolbox.toolchain)/clang++")
    }

    @Test(
        "with audio units compile as C99 with gcc",
        .enabled(if: ToolPaths.isInPath("gcc"), "gcc is not installed"), arguments: unitPrograms)
    func oldStandardWithGCC(program: String) throws { try checkStandard(program, "c", "c99", with: "gcc") }

    @Test(
        "with audio units compile as C++17 with g++",
        .enabled(if: ToolPaths.isInPath("g++"), "g++ is not installed"), arguments: unitPrograms)
    func oldStandardWithGXX(program: String) throws {
        try checkStandard(program, "c++", "c++17", with: "g++")
    }

    private func checkStandard(
        _ program: String, _ language: String, _ standard: String, with compiler: String
    ) throws {
        let source = "\(InstalledToolbox.root)/Tests/AudioToolboxPrograms/c/\(program).c"
        try InstalledToolbox.output(
            of: compiler,
            [
                "-fsyntax-only", "-x", language, "-std=\(standard)", "-Wall", "-Wextra", "-Werror",
                "-Wno-nonnull",
            ]
                + toolbox.compilerFlags + [source])
    }
}
