// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import Testing
import AQToolSupport

@Suite("Paths as bytes")
struct FilePathComponentsTests {
    private let odd = FilePath(bytes: Array("d/caf".utf8) + [0xE9] + Array(".WAV".utf8))

    @Test("have parts") func parts() {
        expectEqual(odd.lowercasedExtension, "wav")
        #expect(odd.hasExtension("wav"))
        expectEqual(odd.name.bytes, Array("caf".utf8) + [0xE9] + Array(".WAV".utf8))
        expectEqual(odd.directory, "d/")
        expectEqual(odd.splitExtension.stem.bytes.last, 0xE9)
        expectEqual(odd.splitExtension.stem + odd.splitExtension.dotExtension, odd)
        expectEqual(FilePath("d").joined(odd.name), odd)
        expectEqual(FilePath(bytes: [0x61, 0x2E, 0xFF]).lowercasedExtension, "\\xff")
    }

    @Test("are passed unchanged through the command line")
    func arguments() throws {
        let parser = OptionParser(
            toolName: "tool", operandUsage: "FILE", summary: "",
            groups: [OptionGroup("", [CommandOption("out", short: "o", value: .required("FILE"), help: "")])])
        let joined = FilePath("--out=") + odd
        let short = FilePath("-o") + odd
        let parsed = try parser.parse([joined, short, "-o", odd, odd])
        expectEqual(parsed.options.map(\.path), [odd, odd, odd])
        expectEqual(parsed.options.first?.value, "d/caf\\xe9.WAV")
        expectEqual(parsed.operands, [odd])
        #expect(throws: UsageError.self) { try parser.parse([FilePath(bytes: [0x2D, 0xE9])]) }
    }

    @Test("are JSON in UTF-8, with their bytes beside it only if necessary")
    func json() {
        var json = JSONWriter()
        json.object { json in
            json.field("file", path: odd)
            json.field("other", path: "é\n%")
        }
        expectEqual(
            json.text, #"{"file":"d/caf\\xe9.WAV","fileBytes":"d/caf%E9.WAV","other":"é\n%"}"#)
    }
}
