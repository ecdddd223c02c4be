// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import Testing
import AQTestSupport
import AQToolSupport

@testable import aqinfo

@Suite("aqinfo's command line")
struct InfoOptionsTests {
    @Test("every option is carried out")
    func everyOption() throws {
        let arguments = [
            "-c", "--graph", "--waveform=x.png", "--size=640x200", "--overwrite", "in.wav",
        ]
        guard case .inspect(let options) = try InfoOptions.parse(arguments) else {
            Issue.record("no error")
            return
        }
        #expect(options.isCheck && options.showsGraph && options.overwrites)
        expectEqual(options.imagePath, "x.png")
        expectEqual(options.imageSize, InfoOptions.ImageSize(width: 640, height: 200))
        expectEqual(options.operands, ["in.wav"])
        guard case .inspect(let table) = try InfoOptions.parse(["-jp", "-n", "5", "a", "-"]) else {
            Issue.record("no error")
            return
        }
        #expect(table.isJSON && table.showsPackets)
        expectEqual(table.packetLimit, 5)
        for group in InfoOptions.parser.groups {
            for option in group.options where option.value == .none && option.long != "overwrite" {
                #expect(throws: Never.self) { try InfoOptions.parse(["--\(option.long)", "x"]) }
            }
        }
    }

    @Test("options that need no file")
    func others() throws {
        try expectEqual(InfoOptions.parse(["--help"]), .help)
        try expectEqual(InfoOptions.parse(["--version", "x"]), .version)
        expectEqual(Run(["--version"]).output, "aqinfo \(PackageVersion.text)\n")
    }

    @Test(
        "invalid options are refused with the correct form",
        arguments: [
            ([], "name an audio file"), (["-", "-"], "once only"),
            (["--json", "--brief", "x"], "choose one"),
            (["--json", "--graph", "x"], "'--graph'"), (["--brief", "--packets", "x"], "choose one"),
            (["--limit=3", "x"], "needs '--packets'"), (["--packets", "--limit=0", "x"], "from 1"),
            (["--size=100x100", "x"], "needs '--waveform=FILE'"), (["-y", "x"], "'--overwrite' needs"),
            (["--waveform=a.png", "--size=100", "x"], "1200x400"),
            (["--waveform=a.png", "--size=100x100000", "x"], "10000"),
            (["--waveform=a.png", "x", "y"], "name one"),
            (["--waveform=-", "--json", "x"], "standard output"),
            (["--waveform=", "x"], "out.png"), (["--packet", "x"], "--packets"),
        ])
    func refusals(arguments: [String], words: String) {
        let run = Run(arguments)
        expectEqual(run.status, .usage)
        #expect(run.output.isEmpty)
        expectEqual(run.complaints.count, 1)
        expectEqual(run.complaints.first?.contains(words), true, "\(run.complaints)")
    }

    @Test("the help fits 80 columns, and names every key of --json")
    func help() throws {
        let folder = ScratchFolder()
        let path = try folder.write(RIFFBytes.wave([1, 2, 3]), to: "a.wav")
        let help = Run(["--help"])
        expectEqual(help.status, .success)
        for line in help.lines { #expect(line.count <= 80, "\(line)") }
        let object = try Run(["--json", "--check", "--packets", path]).jsonObject()
        #expect(object.count > 20)
        for key in object.keys { #expect(help.output.contains(key), "'\(key)' is not documented") }
    }
}
