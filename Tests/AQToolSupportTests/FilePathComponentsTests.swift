// SPDX-License-Identifier: MIT

import AQFiles
import Testing
import AQToolSupport

@Suite("Paths as bytes")
struct FilePathComponentsTests {
    private let odd = FilePath(bytes: Array("d/caf".utf8) + [0xE9] + Array(".WAV".utf8))

    @Test("have parts") func parts() {
        #expect(odd.lowercasedExtension == "wav")
        #expect(odd.hasExtension("wav"))
        #expect(odd.name.bytes == Array("caf".utf8) + [0xE9] + Array(".WAV".utf8))
        #expect(odd.directory == "d/")
        #expect(odd.splitExtension.stem.bytes.last == 0xE9)
        #expect(odd.splitExtension.stem + odd.splitExtension.dotExtension == odd)
        #expect(FilePath("d").joined(odd.name) == odd)
        #expect(FilePath(bytes: [0x61, 0x2E, 0xFF]).lowercasedExtension == "\\xff")
    }

    @Test("are passed unchanged through the command line")
    func arguments() throws {
        let parser = OptionParser(
            toolName: "tool", operandUsage: "FILE", summary: "",
            groups: [OptionGroup("", [CommandOption("out", short: "o", value: .required("FILE"), help: "")])])
        let joined = FilePath("--out=") + odd
        let short = FilePath("-o") + odd
        let parsed = try parser.parse([joined, short, "-o", odd, odd])
        #expect(parsed.options.map(\.path) == [odd, odd, odd])
        #expect(parsed.options.first?.value == "d/caf\\xe9.WAV")
        #expect(parsed.operands == [odd])
        #expect(throws: UsageError.self) { try parser.parse([FilePath(bytes: [0x2D, 0xE9])]) }
    }

    @Test("are JSON in UTF-8, with their bytes beside it only if necessary")
    func json() {
        var json = JSONWriter()
        json.object { json in
            json.field("file", path: odd)
            json.field("other", path: "é\n%")
        }
        #expect(
            json.text
                == #"{"file":"d/caf\\xe9.WAV","fileBytes":"d/caf%E9.WAV","other":"é\n%"}"#)
    }
}
