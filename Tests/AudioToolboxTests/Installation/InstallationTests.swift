// SPDX-License-Identifier: MIT

import AQExpectations
import Foundation
import AQSoundHarness
import AQTestTraits
import Testing

/// The result of `make install-library`, as C programs use it.
@Suite("The installed library", .waiting, .timeLimit(.minutes(20))) struct InstallationTests {
    private let toolbox: InstalledToolbox

    init() throws { toolbox = try InstalledToolbox.shared.get() }

    /// The functions and objects in the table of the published interface.
    private func publishedSymbols() throws -> Set<String> {
        let table = try String(
            contentsOfFile: "\(InstalledToolbox.root)/Tests/AudioToolboxTests/Interface/interface.tsv",
            encoding: .utf8)
        let rows = table.split(separator: "\n").map { $0.split(separator: "\t") }
        let symbols = rows.filter { row in row.count > 1 && ["function", "variable"].contains(row[0]) }
        return Set(symbols.map { row in String(row[1]) })
    }

    /// The functions and constants defined by the headers themselves.
    private static let inlineSymbols: Set = [
        "AudioChannelLayoutTag_GetNumberOfChannels", "AudioHardwareServiceAddPropertyListener",
        "AudioHardwareServiceGetPropertyData", "AudioHardwareServiceGetPropertyDataSize",
        "AudioHardwareServiceHasProperty", "AudioHardwareServiceIsPropertySettable",
        "AudioHardwareServiceRemovePropertyListener", "AudioHardwareServiceSetPropertyData",
        "NextAudioFileRegion",
        "NumAudioFileMarkersToNumBytes", "NumBytesToNumAudioFileMarkers", "kAudioStreamAnyRate",
    ]

    @Test("defines every function and object of the headers") func symbols() throws {
        let listing = try InstalledToolbox.output(
            of: "\(toolbox.toolchain)/llvm-nm",
            ["-D", "--defined-only", "--format=just-symbols", "\(toolbox.prefix)/lib/libAudioToolbox.so"])
        let defined = Set(listing.split(separator: "\n").map(String.init))
        let missing = try publishedSymbols().subtracting(Self.inlineSymbols).subtracting(defined)
        expectEqual(missing.sorted(), [])
    }

    @Test("exports these symbols and nothing else, as released") func exports() throws {
        let map = try String(
            contentsOfFile:
                "\(InstalledToolbox.root)/Sources/CAQAudioToolbox/installation/libAudioToolbox.map",
            encoding: .utf8)
        let listed = map.matches(of: /\n +(\w+);/).map { String($0.output.1) }
        let published = try publishedSymbols().subtracting(Self.inlineSymbols)
        expectEqual(Set(listed).symmetricDifference(published).sorted(), [])
        expectEqual(listed.count, published.count)
        #expect(map.contains("local:\n        *;"))
    }

    @Test("has the same symbols in the table of its Debian package") func packageSymbols() throws {
        func names(_ path: String, _ pattern: Regex<(Substring, Substring)>) throws -> [String] {
            let text = try String(contentsOfFile: "\(InstalledToolbox.root)/\(path)", encoding: .utf8)
            return text.matches(of: pattern).map { String($0.output.1) }.sorted()
        }
        let exported = try names(
            "Sources/CAQAudioToolbox/installation/libAudioToolbox.map", /\n +(\w+);/)
        let packaged = try names(
            "Packaging/debian/libaudiotoolbox1.symbols", /\n (?!AUDIOTOOLBOX)(\w+)@AUDIOTOOLBOX_1[.\d]*/)
        expectEqual(packaged, exported)
    }

    @Test("is installed with the libraries of the runtime that it needs, and no others") func runtime() throws
    {
        let folder = "\(toolbox.prefix)/lib/audiotoolbox"
        let libraries = try FileManager.default.contentsOfDirectory(atPath: folder).filter {
            $0.hasSuffix(".so")
        }
        #expect(libraries.contains("libFoundation.so"))
        var needed: Set<String> = []
        for file in ["\(toolbox.prefix)/lib/libAudioToolbox.so"] + libraries.map({ "\(folder)/\($0)" }) {
            let dynamic = try InstalledToolbox.output(
                of: "readelf", ["-d", file], environment: ["LC_ALL": "C"])
            needed.formUnion(dynamic.matches(of: /NEEDED.*\[(.+)\]/).map { String($0.output.1) })
        }
        let toolchainFolder = "\(toolbox.toolchain)/../lib/swift/linux"
        let fromToolchain = needed.filter {
            FileManager.default.fileExists(atPath: "\(toolchainFolder)/\($0)")
        }
        expectEqual(fromToolchain, Set(libraries))
    }

    @Test("has compiler and linker flags that do not depend on the toolchain") func flags() throws {
        let toolchainFolder = try #require(toolbox.toolchain.split(separator: "/bin").first)
        for flag in toolbox.compilerFlags + toolbox.linkerFlags {
            #expect(!flag.contains(toolchainFolder))
        }
    }

    @Test(
        "has headers that compile alone without a warning, each and twice", arguments: ["clang", "clang++"])
    func headers(compiler: String) throws { try checkHeaders(with: compiler) }

    @Test(
        "has headers that compile with gcc without a warning",
        .enabled(if: ToolPaths.isInPath("gcc"), "gcc is not installed"))
    func headersWithGCC() throws { try checkHeaders(with: "gcc") }

    @Test(
        "has headers that compile with g++ without a warning",
        .enabled(if: ToolPaths.isInPath("g++"), "g++ is not installed"))
    func headersWithGXX() throws { try checkHeaders(with: "g++") }

    private func checkHeaders(with compiler: String) throws {
        let isCXX = compiler.hasSuffix("++")
        let include = "\(toolbox.prefix)/include/audiotoolbox"
        let headers = try FileManager.default.subpathsOfDirectory(atPath: include)
            .filter { $0.hasSuffix(".h") }.sorted()
        #expect(headers.contains("AudioToolbox/AudioQueue.h"))
        #expect(headers.contains("AudioUnit/AudioUnit.h"))
        #expect(headers.contains("CoreAudio/HostTime.h"))
        #expect(headers.contains("CoreFoundation/CoreFoundation.h"))
        #expect(headers.contains("CoreMedia/CoreMedia.h"))
        #expect(headers.contains("CoreServices/CoreServices.h"))
        #expect(headers.contains("MacTypes.h"))
        #expect(headers.contains("libkern/OSAtomic.h"))
        // A header that does not compile alone fails with every compiler, so gcc compiles a few.
        let alone = compiler.hasPrefix("clang") ? headers : someCases(8, of: headers)
        for included in alone.map({ [$0] }) + [headers] {
            let lines = included.map { "#include <\($0)>\n" }.joined()
            do {
                try InstalledToolbox.output(
                    of: compiler.hasPrefix("clang") ? "\(toolbox.toolchain)/\(compiler)" : compiler,
                    [
                        "-fsyntax-only", "-x", isCXX ? "c++" : "c", isCXX ? "-std=c++17" : "-std=c11",
                        "-Wall", "-Wextra", "-Wpedantic", "-Werror",
                    ] + toolbox.compilerFlags + ["-"],
                    standardInput: Array("\(lines)\(lines)int main(void) { return 0; }\n".utf8))
            } catch {
                Issue.record(error, "\(included)")
            }
        }
    }

    @Test("is linked and run with only the flags of pkg-config")
    func smallestProgram() throws { try checkSmallestProgram(with: "\(toolbox.toolchain)/clang") }

    @Test(
        "is linked by the system's compiler with only the flags of pkg-config",
        .enabled(if: ToolPaths.isInPath("cc"), "no C compiler is installed"))
    func smallestProgramWithCC() throws { try checkSmallestProgram(with: "cc") }

    private func checkSmallestProgram(with compiler: String) throws {
        let program = """
            #include <AudioToolbox/AudioToolbox.h>
            int main(void) {
                CFStringRef name = CFStringCreateWithCString(NULL, "x", kCFStringEncodingUTF8);
                UInt32 size = 0;
                OSStatus status = AudioFormatGetPropertyInfo(
                    kAudioFormatProperty_EncodeFormatIDs, 0, NULL, &size);
                int isRight = name && status == noErr && size > 0
                    && AudioQueueStart(NULL, NULL) == kAudio_ParamError && AudioGetCurrentHostTime() > 0;
                CFRelease(name);
                return isRight ? 0 : 1;
            }
            """
        let name = compiler.split(separator: "/").last.map(String.init) ?? compiler
        let executable = "\(toolbox.prefix)/smallest-\(name)"
        try InstalledToolbox.output(
            of: compiler,
            ["-x", "c", "-std=c11", "-", "-o", executable] + toolbox.compilerFlags + toolbox.linkerFlags,
            standardInput: Array(program.utf8))
        // No environment variable points to its libraries.
        try InstalledToolbox.output(of: executable, [], environment: ["LD_LIBRARY_PATH": nil])
    }

    @Test("is removed completely") func uninstall() throws {
        let prefix = "\(ToolPaths.binaryFolder)/uninstalled-toolbox"
        try InstalledToolbox.make("install-library", prefix: prefix)
        #expect(FileManager.default.fileExists(atPath: "\(prefix)/lib/pkgconfig/audiotoolbox.pc"))
        try InstalledToolbox.make("uninstall", prefix: prefix)
        try expectEqual(InstalledToolbox.output(of: "find", [prefix, "!", "-type", "d"]), "")
        try FileManager.default.removeItem(atPath: prefix)
    }

    @Test("is removed from a shared folder without the headers of others") func sharedHeaders() throws {
        let prefix = "\(ToolPaths.binaryFolder)/shared-toolbox"
        let headers = "\(prefix)/headers"
        try FileManager.default.createDirectory(atPath: headers, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: prefix) }
        try "".write(toFile: "\(headers)/stdio.h", atomically: true, encoding: .utf8)
        try InstalledToolbox.make("install-library", prefix: prefix, includeFolder: headers)
        let flags = try InstalledToolbox.output(
            of: "pkg-config", ["--cflags", "audiotoolbox"],
            environment: ["PKG_CONFIG_PATH": "\(prefix)/lib/pkgconfig"])
        #expect(flags.hasPrefix("-I\(headers)/audiotoolbox "))
        #expect(FileManager.default.fileExists(atPath: "\(headers)/audiotoolbox/AudioToolbox/AudioQueue.h"))
        try InstalledToolbox.make("uninstall", prefix: prefix, includeFolder: headers)
        try expectEqual(
            InstalledToolbox.output(of: "find", [prefix, "!", "-type", "d"]), "\(headers)/stdio.h")
    }
}
