// SPDX-License-Identifier: MIT

import Foundation
import AQSoundHarness
import Synchronization

/// Programs in C and C++ against the installed library.
extension InstalledToolbox {
    /// The folders of the programs, relative to the package's.
    private static let programFolders = [
        "Tests/AudioToolboxPrograms/c", "Tests/AudioToolboxPrograms/cxx", "Sources/AudioToolboxSamples",
    ]

    /// The files of the programs, relative to the package's folder.
    static func programSources() throws -> [String] {
        try programFolders.flatMap { folder in
            try FileManager.default.contentsOfDirectory(atPath: "\(root)/\(folder)")
                .filter { $0.hasSuffix(".c") || $0.hasSuffix(".cpp") }
                .map { "\(folder)/\($0)" }
        }
        .sorted()
    }

    enum Compiler: String, CaseIterable {
        /// The compiler of the toolchain.
        case clang
        /// The system's compiler, if there is one.
        case gcc
    }

    /// The executable of a program by its name, such as "player".
    static func program(_ name: String) throws -> String {
        let sources = try programSources().filter {
            $0.hasSuffix("/\(name).c") || $0.hasSuffix("/\(name).cpp")
        }
        guard let source = sources.first else {
            throw Failure(description: "there is no program \(name) in C or C++")
        }
        return try shared.get().program(of: source, by: .clang)
    }

    /// The executable of a program, built at the first request.
    ///
    /// - Parameter source: Relative to the package's folder.
    @discardableResult
    func program(of source: String, by compiler: Compiler) throws -> String {
        let build = Self.builds.withLock { builds in
            let key = "\(source) \(compiler)"
            if let build = builds[key] { return build }
            let build = ProgramBuild()
            builds[key] = build
            return build
        }
        // Others may be built meanwhile.
        return try build.executable { try self.build(source, with: compiler) }
    }

    private static let builds = Mutex<[String: ProgramBuild]>([:])

    /// Compiles and links a program as documented. Samples must have no warnings.
    private func build(_ source: String, with compiler: Compiler) throws -> String {
        let isCXX = source.hasSuffix(".cpp")
        // Programs with blocks; the others compile without.
        let hasBlocks = source.contains("/dispatch_")
        let file = source.split(separator: "/").last.map(String.init) ?? source
        let folder = "\(prefix)/programs"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let executable = "\(folder)/\(file)-\(compiler)"
        var arguments = [isCXX ? "-std=c++17" : "-std=gnu11"]
        if hasBlocks { arguments.append("-fblocks") }
        if source.hasPrefix("Sources/") {
            arguments += ["-Wall", "-Wextra", "-Wno-unused-parameter", "-Werror"]
        }
        arguments += compilerFlags
        arguments += ["\(Self.root)/\(source)", "-o", executable]
        arguments += linkerFlags
        if hasBlocks { arguments.append("-lBlocksRuntime") }
        arguments += ["-lm", "-lpthread"]
        let program =
            switch compiler {
            case .clang: "\(toolchain)/\(isCXX ? "clang++" : "clang")"
            case .gcc: isCXX ? "g++" : "gcc"
            }
        try Self.output(of: program, arguments)
        return executable
    }
}

/// A program that is built once, at the first request.
private final class ProgramBuild: Sendable {
    private let result = Mutex<Result<String, any Error>?>(nil)

    func executable(_ build: () throws -> String) throws -> String {
        try result.withLock { result in
            let known = result ?? Result { try build() }
            result = known
            return try known.get()
        }
    }
}
