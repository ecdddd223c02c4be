// SPDX-License-Identifier: MIT

import AQExpectations
import Foundation
import AQSoundHarness
import AQTestTraits
import Testing

/// The Makefile with missing packages: in its own folder, with a PATH of the test.
@Suite("Missing packages", .waiting, .timeLimit(.minutes(20))) struct DependencyTests {
    private static let libraries = [
        "libavcodec-dev", "libcurl4-openssl-dev", "libebur128-dev", "libflac-dev", "libmpg123-dev",
        "libpng-dev", "libpulse-dev", "libsndfile1-dev", "libsoundtouch-dev", "libsoxr-dev",
    ]
    private static let clients = ["pactl", "parec", "paplay"]

    @Test("make lists them and the command that installs them, without installing or building")
    func build() throws {
        let machine = try Machine()
        defer { machine.remove() }
        let result = try machine.make()
        #expect(result.exitStatus != 0)
        for package in Self.libraries {
            #expect(
                result.standardError.contains(try Regex("install with: .*apt-get install .*\(package)")),
                "\(package): \(result.standardError)")
        }
        #expect(!result.standardError.contains("pulseaudio"))
        expectEqual(machine.calls, [])
    }

    @Test("make builds if nothing is missing, with any sound server")
    func complete() throws {
        let machine = try Machine(hasLibraries: true)
        defer { machine.remove() }
        _ = try machine.make()
        #expect(machine.calls.contains { $0.hasPrefix("swift build") })
        #expect(!machine.calls.contains { $0.hasPrefix("apt-get") })
    }

    @Test("are installed by the targets that state it", arguments: ["install-deps", "demo", "test"])
    func installation(target: String) throws {
        let machine = try Machine()
        defer { machine.remove() }
        _ = try machine.make(target)
        let installed = machine.installedPackages
        #expect(installed.isSuperset(of: Self.libraries + ["pulseaudio", "pulseaudio-utils"]))
        #expect(machine.calls.contains { $0.hasPrefix("apt-get install") && $0.contains(" --no-remove ") })
    }

    @Test(
        "include the programs that tests run, and for root those that make file systems",
        arguments: [(0, ["btrfs-progs", "e2fsprogs"]), (1000, [])])
    func programsOfTests(user: Int, makers: [String]) throws {
        let machine = try Machine(hasLibraries: true, programs: ["pulseaudio"] + Self.clients, user: user)
        defer { machine.remove() }
        _ = try machine.make("test")
        let programs: Set = [
            "dbus", "gcc", "g++", "cmake", "openssl", "ffmpeg", "sox", "sndfile-programs", "playerctl", "zsh",
            "fish", "groff-base", "mandoc",
        ]
        let installed = machine.installedPackages
        #expect(programs.subtracting(installed) == [])
        #expect(installed.intersection(["btrfs-progs", "e2fsprogs"]) == Set(makers))
    }

    @Test("include no second sound server", arguments: ["install-deps", "demo", "test", "test-pipewire"])
    func secondServer(target: String) throws {
        for server in ["pulseaudio", "pipewire-pulse"] {
            let machine = try Machine(hasLibraries: true, programs: [server] + Self.clients)
            defer { machine.remove() }
            _ = try machine.make(target)
            #expect(
                machine.installedPackages.isDisjoint(with: ["pulseaudio", "pipewire-pulse"]), "\(server)")
        }
    }

    @Test("include no server if PipeWire has none: the user must choose")
    func pipeWireAlone() throws {
        let machine = try Machine(hasLibraries: true, programs: ["pipewire"] + Self.clients)
        defer { machine.remove() }
        let result = try machine.make("install-deps")
        #expect(result.exitStatus != 0)
        #expect(result.standardError.contains("install pipewire-pulse"))
        expectEqual(machine.calls, [])
    }

    @Test("do not prevent the installation of built files") func installedTools() throws {
        let machine = try Machine()
        defer { machine.remove() }
        for tool in ["aqplay", "aqrecord", "aqinfo", "aqconvert", "aqlatency"] {
            try machine.add("build/.build/release/\(tool)")
        }
        let result = try machine.make("install-tools", "PREFIX=\(machine.folder)/prefix")
        expectEqual(result.exitStatus, 0, "\(result.standardError)")
        let entry = "\(machine.folder)/prefix/share/applications/aqplay.desktop"
        #expect(FileManager.default.fileExists(atPath: "\(machine.folder)/prefix/bin/aqconvert"))
        #expect(FileManager.default.fileExists(atPath: entry))
        try expectEqual(machine.make("uninstall", "PREFIX=\(machine.folder)/prefix").exitStatus, 0)
        #expect(!FileManager.default.fileExists(atPath: entry))
    }

    @Test(
        "aside: the linker's cache is updated by root alone, and not for a package",
        arguments: [(0, "", ["ldconfig"]), (0, "/package", []), (1000, "", [])])
    func linkerCache(user: Int, destination: String, calls: [String]) throws {
        let machine = try Machine(user: user)
        defer { machine.remove() }
        try machine.add("library.so")
        for folder in ["bin", "lib/swift/CoreFoundation"] {
            try FileManager.default.createDirectory(
                atPath: "\(machine.folder)/toolchain/\(folder)", withIntermediateDirectories: true)
        }
        // The library of this test is a script, which needs no other library.
        try machine.add("bin/readelf")
        let result = try machine.make(
            "install-library", "LIBRARY=../library.so", "TOOLCHAIN=\(machine.folder)/toolchain/bin/",
            "PREFIX=\(machine.folder)/prefix", "LDCONFIG=ldconfig",
            "DESTDIR=\(destination.isEmpty ? "" : machine.folder + destination)")
        expectEqual(result.exitStatus, 0, "\(result.standardError)")
        expectEqual(machine.calls, calls)
    }
}

/// A machine as make sees it: the usual commands, and those of a test.
private struct Machine {
    let folder: String
    private let hasLibraries: Bool

    /// The commands that make and its scripts need on every system.
    private static let commands = [
        "awk", "cat", "cp", "env", "find", "grep", "head", "install", "ln", "make", "mkdir", "mktemp", "od",
        "printf",
        "realpath", "rm", "sed", "sh", "tail", "tee", "touch", "tr", "uname",
    ]

    init(hasLibraries: Bool = false, programs: [String] = [], user: Int = 1000) throws {
        self.hasLibraries = hasLibraries
        folder = FileManager.default.temporaryDirectory.appending(path: "machine-\(UUID().uuidString)")
            .path(percentEncoded: false)
        for folder in ["bin", "build/.build/release"] {
            try FileManager.default.createDirectory(
                atPath: "\(self.folder)/\(folder)", withIntermediateDirectories: true)
        }
        let (installation, desktop) = ("Sources/CAQAudioToolbox/installation", "Sources/aqplay/desktop")
        for folder in [installation, desktop, "Packaging"] {
            try FileManager.default.createDirectory(
                atPath: "\(self.folder)/build/\(folder)", withIntermediateDirectories: true)
        }
        let files = [
            "\(installation)/audiotoolbox.pc.in", "\(installation)/install-runtime.sh",
            "\(desktop)/aqplay.desktop",
        ]
        for file in ["Makefile", "Packaging/install.mk", "dependencies.sh"] + files {
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder)/build/\(file)",
                withDestinationPath: "\(InstalledToolbox.root)/\(file)")
        }
        for command in Self.commands {
            for directory in ["/usr/bin", "/bin"]
            where !FileManager.default.fileExists(atPath: "\(folder)/bin/\(command)") {
                try? FileManager.default.createSymbolicLink(
                    atPath: "\(folder)/bin/\(command)", withDestinationPath: "\(directory)/\(command)")
            }
        }
        try add("bin/id", "echo \(user)")
        try add("bin/sudo", "exec \"$@\"")
        try add("bin/apt-get", "echo apt-get \"$@\" >>\(folder)/calls")
        try add("bin/ldconfig", "echo ldconfig >>\(folder)/calls")
        try add("bin/swift", "echo swift \"$@\" >>\(folder)/calls; exit 1")
        try add("bin/pkg-config", "exit \(hasLibraries ? 0 : 1)")
        for program in programs { try add("bin/\(program)") }
    }

    /// Adds a program of one shell line.
    ///
    /// Another process writes it: a child that is forked here meanwhile would keep it open, and it could not be run.
    func add(_ path: String, _ body: String = ":") throws {
        let result = try ChildProcess.run(
            "sh", ["-c", #"printf '#!/bin/sh\n%s\n' "$1" >"$0"; chmod 755 "$0""#, "\(folder)/\(path)", body])
        guard result.exitStatus == 0 else { throw HarnessError(result.standardError) }
    }

    func make(_ arguments: String...) throws -> ChildProcess.Result {
        try ChildProcess.run(
            "\(folder)/bin/make", ["-C", "\(folder)/build"] + arguments,
            environment: ["PATH": "\(folder)/bin", "MAKEFLAGS": nil, "MAKELEVEL": nil], deadlineSeconds: 20)
    }

    /// The calls of apt-get and of swift, except queries of the toolchain.
    var calls: [String] {
        let text = (try? String(contentsOfFile: "\(folder)/calls", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init).filter { !$0.contains("-print-target-info") }
    }

    var installedPackages: Set<String> {
        Set(
            calls.filter { $0.hasPrefix("apt-get install") }.flatMap {
                $0.split(separator: " ").map(String.init)
            })
    }

    func remove() { try? FileManager.default.removeItem(atPath: folder) }
}
