// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import Foundation
import Testing
import AQTestSupport
import AQToolSupport

@testable import aqconvert

@Suite("An empty range")
struct RangeTests {
    private let conversions: ConversionTests
    private var folder: ScratchFolder { conversions.folder }

    init() throws { conversions = try ConversionTests() }

    @Test("is refused by the command line if that shows it")
    func options() throws {
        _ = try conversions.writeWave("in.wav", frames: 1000)
        for range in [["--end=0"], ["--start=1", "--end=1"], ["--start=2", "--end=1"]] {
            expectEqual(ConvertTool.run(range + [folder.file("in.wav"), folder.file("out.wav")]), .usage)
        }
        expectEqual(folder.names, ["in.wav"])
    }

    @Test(
        "is refused if the file shows it, and nothing is written",
        arguments: [
            ["--start=1"], ["--start=1", "--end=2"], ["--start=100"],
            // Between two frames.
            ["--start=0.00001", "--end=0.000011"], ["--end=0.00001"],
        ], ["in.wav", "in.mp3"])
    func refused(range: [String], input: String) throws {
        _ = try conversions.writeWave("in.wav", frames: 44_100)
        expectEqual(conversions.convert("in.wav", "in.mp3"), 0)
        expectEqual(ConvertTool.run(range + [folder.file(input), folder.file("out.wav")]), .failure)
        expectEqual(folder.names, ["in.mp3", "in.wav"])
    }

    @Test("is reported with the file's length")
    func message() throws {
        _ = try conversions.writeWave("in.wav", frames: 44_100)
        let path = folder.file("in.wav")
        let parsed = try ConvertOptions.parse(["--start=1:30", path, "out.wav"])
        guard case .convert(let options) = parsed else { return }
        let conversion = Conversion(
            input: FilePath(path), output: FilePath(folder.file("out.wav")), type: .wave, options: options,
            isCancelled: { false })
        do throws(ToolFailure) {
            _ = try conversion.run()
            Issue.record("it was converted")
        } catch {
            let reason = "the requested range is outside the audio; it is 1.000 s long"
            expectEqual(error.message, "cannot convert '\(path)': \(reason)")
        }
    }

    @Test("is accepted if it ends after the file, or the whole file is empty")
    func kept() throws {
        let samples = try conversions.writeWave("in.wav", frames: 44_100)
        expectEqual(conversions.convert("--start=0.5", "--end=100", "in.wav", "out.wav"), 0)
        try expectEqual(conversions.read("out.wav").samples, Array(samples[44_100...]))
        _ = try conversions.writeWave("empty.wav", frames: 0)
        expectEqual(conversions.convert("empty.wav", "none.wav"), 0)
        #expect(try conversions.read("none.wav").samples.isEmpty)
    }
}
