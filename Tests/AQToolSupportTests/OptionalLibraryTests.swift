// SPDX-License-Identifier: MIT

import AQTestSupport
import Testing

/// Libraries that are loaded when they are needed: what the sources declare, what the documentation lists, and what tools
/// print without them.
@Suite("Optional libraries") struct OptionalLibraryTests {
    /// A library that a C module declares.
    struct Library: Sendable {
        /// The file without its number, such as "libFLAC".
        var name: String
        /// The package that its message names.
        var package: String
    }

    /// The sources that declare libraries, besides libavcodec's.
    static let sources = [
        "CAQCurl/library.c", "CAQDBus/library.c", "CAQEBUR128/CAQEBUR128.c", "CAQFLAC/CAQFLAC.c",
        "CAQLAME/CAQLAME.c", "CAQOpus/CAQOpus.c", "CAQPNG/CAQPNG.c", "CAQSoundTouch/library.cpp",
        "CAQSoxr/CAQSoxr.c", "CAQVorbis/CAQVorbis.c",
    ]

    /// The libraries of the sources.
    static let declared: [Library] = {
        let texts = sources.map { InstalledTools.text(ofFile: "Sources/\($0)") }
        let plain = texts.flatMap { text in
            text.matches(of: /aq_library \w+ =\s*\{\{"(lib[^"]+)\.so\.\d+"[^}]*\},\s*"([^"]+)"/)
        }
        // The numbers of libavcodec are those of the headers.
        let codecs = InstalledTools.text(ofFile: "Sources/CAQAVCodec/library.c")
        let package = codecs.firstMatch(of: /\.so\." AV_STRINGIFY\(major\)\},\s*\\\s*"([^"]+)"/)?.output.1
        return plain.map { Library(name: String($0.output.1), package: String($0.output.2)) }
            + codecs.matches(of: /AQ_NAMES\("(\w+)"/).map {
                Library(name: "lib\($0.output.1)", package: String(package ?? ""))
            }
    }()

    /// A line of features.txt that needs a library.
    struct Feature: Sendable, CustomTestStringConvertible {
        var library: String
        var package: String
        var command: String

        var testDescription: String { "\(library): \(command)" }
    }

    static let features: [Feature] = InstalledTools.text(ofFile: "Tests/Packages/features.txt")
        .split(separator: "\n").filter { $0.hasPrefix("lib") }
        .map { line in
            let fields = line.split(separator: "|", maxSplits: 2).map(String.init)
            return Feature(library: fields[0], package: fields[1], command: fields[2])
        }

    @Test("all sources that load one are known") func all() throws {
        let found = try ChildProcess.run(
            "grep", ["-rl", "aq_load_library(", "\(InstalledTools.root)/Sources"])
        let files = found.standardOutput.split(separator: "\n").compactMap {
            $0.split(separator: "Sources/").last
        }
        let known = Self.sources + ["CAQAVCodec/library.c", "CAQLibraries/CAQLibraries.c"]
        #expect(
            files.map(String.init).sorted() == (known + ["CAQLibraries/include/CAQLibraries.h"]).sorted())
        #expect(
            Self.declared.map(\.name).sorted() == [
                "libFLAC", "libSoundTouch", "libavcodec", "libavutil", "libcurl", "libdbus-1", "libebur128",
                "libmp3lame", "libopus", "libpng16", "libsoxr", "libvorbis", "libvorbisenc",
            ])
    }

    @Test("the documentation and INSTALL.txt name them with their packages, and no others") func documented()
    {
        let article = InstalledTools.text(ofFile: "Sources/AudioQueues/AudioQueues.docc/SupportedFormats.md")
        let rows = article.matches(of: /(?m)^\| (lib[^|]+?) \| `([^`]+)` \|/)
            .flatMap { row in
                row.output.1.matches(of: /lib[\w-]+/).map { "\($0.output) \(row.output.2)" }
            }
        let wanted = Self.declared.map { "\($0.name) \($0.package)" }.sorted()
        #expect(rows.sorted() == wanted)

        let notes = InstalledTools.text(ofFile: "Packaging/INSTALL.txt")
        let optional = notes.firstRange(of: "Other libraries").map { notes[$0.lowerBound...] } ?? ""
        let lines = optional.matches(of: #/(?m)^    (lib.*?)  +(\S+)  /#)
            .flatMap { line in
                line.output.1.matches(of: /(lib[\w-]+)\.so/).map { "\($0.output.1) \(line.output.2)" }
            }
        #expect(lines.sorted() == wanted)
    }

    @Test("the packages depend on them or recommend them") func packaged() {
        let rules = InstalledTools.text(ofFile: "Packaging/debian/rules")
        func names(_ variable: String) -> Set<Substring> {
            let line = rules.split(separator: "\n").first { $0.hasPrefix("\(variable) = ") } ?? ""
            return Set(line.split(separator: " ").dropFirst(2))
        }
        let packaged = names("REQUIRED").union(names("RECOMMENDED_TOOLS")).union(names("RECOMMENDED_LIBRARY"))
        let wanted = Set(Self.declared.map { $0.name.dropFirst(3) })
        // libFLAC is named in the control file. libpulse needs libdbus.
        #expect(packaged == wanted.subtracting(["FLAC", "dbus-1"]))
        #expect(InstalledTools.text(ofFile: "Packaging/debian/control.in").contains("Depends: libflac"))
    }

    @Test("a command uses each of them in the tests of packages") func used() {
        // libavutil and libvorbis are loaded with libavcodec and libvorbisenc. Tools do not use libsoxr, for which there
        // is a program in C, and print nothing without libdbus.
        let exempt: Set = ["libavutil", "libvorbis", "libsoxr", "libdbus-1"]
        let wanted = Self.declared.filter { !exempt.contains($0.name) }
        #expect(
            Set(Self.features.map { "\($0.library) \($0.package)" })
                == Set(wanted.map { "\($0.name) \($0.package)" }))
    }

    /// Those whose library can be missing while the tools start: libsndfile links the others.
    static let removable = features.filter {
        !["libFLAC", "libmp3lame", "libvorbisenc", "libopus"].contains($0.library)
    }

    @Test("without its library, a command fails, and names the package", arguments: removable)
    func missing(feature: Feature) throws {
        let folder = ScratchFolder()
        for name in ["tune.wav", "tune-vbr.mp3", "tune-float48.wav"] {
            try folder.write(SystemFile.contents(ofPath: ToolPaths.fixture(name)), to: name)
        }
        // The loader refuses an empty file, and searches no further.
        let files = feature.library == "libcurl" ? ["libcurl.so.4", "libcurl-gnutls.so.4"] : []
        for file in files + (1...99).map({ "\(feature.library).so.\($0)" }) {
            try folder.write([], to: file)
        }
        let path = Environment.value("PATH") ?? "/usr/bin:/bin"
        let libraries = Environment.value("LD_LIBRARY_PATH").map { ":\($0)" } ?? ""
        let result = try ChildProcess.run(
            "sh", ["-c", "cd '\(folder.path)' && \(feature.command)"],
            environment: [
                "PATH": "\(ToolPaths.binaryFolder):\(path)", "LD_LIBRARY_PATH": "\(folder.path)\(libraries)",
                "HTTP": "9", "HTTPS": "9",
            ])
        // 74: a result cannot be written.
        #expect([1, 74].contains(result.exitStatus))
        #expect(
            result.standardError.contains(
                try Regex("\(feature.library)\\.so\\.\\d+: .*type: apt install \(feature.package)( |\n)")),
            "\(result.standardError)")
    }
}
