// SPDX-License-Identifier: MIT

import Foundation
import AQSoundHarness

/// The library for C programs, its headers and its pkg-config file, installed by `make install-library` from the tests'
/// build into its folder.
struct InstalledToolbox: Sendable {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path(percentEncoded: false)
    /// The installed files, once for all tests.
    static let shared: Result<InstalledToolbox, any Error> = Result {
        try InstalledToolbox(prefix: "\(ToolPaths.binaryFolder)/installed-toolbox")
    }

    let prefix: String
    /// The folder of the toolchain's programs.
    let toolchain: String
    /// The output of pkg-config for compiling, and for linking.
    let compilerFlags: [String]
    let linkerFlags: [String]

    init(prefix: String) throws {
        self.prefix = prefix
        try Self.make("install-library", prefix: prefix)
        toolchain = try Self.findToolchain()
        func flags(_ kind: String) throws -> [String] {
            try Self.output(
                of: "pkg-config", [kind, "audiotoolbox"],
                environment: ["PKG_CONFIG_PATH": "\(prefix)/lib/pkgconfig"]
            )
            .split(separator: " ").map(String.init)
        }
        compilerFlags = try flags("--cflags")
        linkerFlags = try flags("--libs")
    }

    /// The folder of the toolchain's programs: `swiftc` in PATH may be a link to a toolchain manager.
    private static func findToolchain() throws -> String {
        let description = try output(of: "swiftc", ["-print-target-info"])
        guard let match = description.firstMatch(of: /"runtimeResourcePath": "(.*)\/lib\/swift"/) else {
            throw Failure(description: "swiftc does not say where its libraries are\n\(description)")
        }
        return "\(match.output.1)/bin"
    }

    /// Runs the package's make for that prefix.
    ///
    /// - Parameter includeFolder: Where headers go to; nil for the prefix's.
    static func make(_ target: String, prefix: String, includeFolder: String? = nil) throws {
        // Variables of an outer make must not be inherited.
        _ = try output(
            of: "make",
            [
                "-s", "-C", root, target, "LIBRARY=\(ToolPaths.binaryFolder)/libAudioToolboxC.so",
                "PREFIX=\(prefix)", "LIBDIR=\(prefix)/lib",
                "INCLUDEDIR=\(includeFolder ?? "\(prefix)/include")", "DESTDIR=", "LDCONFIG=:",
            ],
            environment: ["MAKEFLAGS": nil, "MAKELEVEL": nil])
    }

    /// The environment for programs that build against the installed files. Variables of an outer make must not be
    /// inherited.
    var buildEnvironment: [String: String?] {
        ["PKG_CONFIG_PATH": "\(prefix)/lib/pkgconfig", "MAKEFLAGS": nil, "MAKELEVEL": nil]
    }

    /// Runs a compiler or another program to its end and returns its output, without the final line break.
    ///
    /// It gets the processor time that other tests leave: their audio is measured.
    @discardableResult
    static func output(
        of program: String, _ arguments: [String], environment: [String: String?] = [:],
        standardInput: [UInt8] = []
    ) throws -> String {
        let result = try ChildProcess.run(
            "nice", ["-n", "19", program] + arguments, environment: environment,
            standardInput: standardInput,
            deadlineSeconds: 300)
        guard result.exitStatus == 0 else {
            let command = ([program] + arguments).joined(separator: " ")
            throw Failure(description: "status \(result.exitStatus) of \(command)\n\(result.standardError)")
        }
        return result.standardOutput.trimmingCharacters(in: .newlines)
    }
}
