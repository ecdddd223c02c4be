// SPDX-License-Identifier: MIT

import AQExpectations
import CoreAudioTypes
import Testing
import AQTestSupport

@testable import AQFiles

/// Sparse files past 4 GiB.
@Suite("Writing large files")
struct LargeWriteTests {
    private func create<Container: PCMContainer>(
        _ type: AudioFileType, at path: String, bits: Int = 16, isFloat: Bool = false, channels: Int = 2,
        container: (PCMSamples) throws(AudioFileError) -> Container
    ) throws -> (AudioFileWriter, PCMFileWriter<Container>, frameBytes: Int64) {
        let format = try type.pcmFormat(sampleRate: 48000, channels: channels, bits: bits, isFloat: isFloat)
        let samples = try PCMSamples(format, labels: nil)
        let writer = try PCMFileWriter(
            container(samples), to: OutputFile(path: FilePath(path), overwrite: false),
            frameBytes: samples.frameBytes)
        return (
            AudioFileWriter(path: FilePath(path), type: type, format: format, writer: writer), writer,
            Int64(samples.frameBytes)
        )
    }

    @Test("WAVE becomes RF64 at the limit of its lengths, and not before", arguments: SampleKind.all)
    func growth(kind: SampleKind) throws {
        let folder = ScratchFolder()
        let (file, writer, frameBytes) = try create(
            .wave, at: folder.file("new"), bits: kind.bits, isFloat: kind.isFloat
        ) { (samples) throws(AudioFileError) in try WaveContainer(samples, isRF64: false) }
        let headerBytes = file.byteCount
        let lastFrames = (Int64(UInt32.max) - 1 - (headerBytes - 8)) / frameBytes
        try writer.appendHole(bytes: (lastFrames - 10) * frameBytes)
        let mark = noise(count: 10 * Int(frameBytes))
        try file.append(mark)
        let before = bytes(ofFile: file.path.description, atMost: Int(headerBytes))
        #expect(before.starts(with: "RIFF".utf8) && before[12...].starts(with: "JUNK".utf8))
        try expectEqual(AudioFile.open(path: file.path).containerName, "WAVE")
        try expectEqual(AudioFile.open(path: file.path).frameCount, lastFrames)
        try file.append(mark)
        let after = bytes(ofFile: file.path.description, atMost: Int(headerBytes))
        #expect(after.starts(with: "RF64".utf8) && after[12...].starts(with: "ds64".utf8))
        // Everything except the names and the lengths is unchanged.
        expectEqual(after[48..<after.count - 16], before[48..<before.count - 16])
        // Truncated, it is unchanged.
        try file.shorten(toBytes: lastFrames * frameBytes)
        expectEqual(bytes(ofFile: file.path.description, atMost: Int(headerBytes)), before)
        try file.append(mark)
        expectEqual(bytes(ofFile: file.path.description, atMost: Int(headerBytes)), after)
        try file.close()
        let large = try AudioFile.open(path: file.path)
        expectEqual(large.containerName, "RF64")
        expectEqual(large.frameCount, lastFrames + 10)
        #expect(large.warnings.isEmpty)
        try expectEqual(Contents(of: large, from: lastFrames - 10).bytes, mark + mark)
        expectEqual(file.maximumFrameCount, nil)
    }

    @Test("AIFF stops at its last frame, and reports it", arguments: [AudioFileType.aiff, .aiffC], [1, 3])
    func full(type: AudioFileType, channels: Int) throws {
        let folder = ScratchFolder()
        let (file, writer, frameBytes) = try create(
            type, at: folder.file("new"), bits: 24, channels: channels
        ) { (samples) throws(AudioFileError) in try AIFFContainer(samples, type: type) }
        let lastFrame = try #require(file.maximumFrameCount)
        #expect(UInt32.max - UInt32(lastFrame * frameBytes) < 200)
        try writer.appendHole(bytes: (lastFrame - 5) * frameBytes)
        let mark = noise(count: 10 * Int(frameBytes))
        let error = try #require(throws: AudioFileError.self) { try file.append(mark) }
        expectEqual(error.code, .containerFull)
        expectEqual(
            error.message,
            "cannot write '\(file.path)': a file of this type cannot exceed \(lastFrame) frames of this format; "
                + "the file is whole up to frame \(lastFrame)")
        #expect(throws: error) { try file.append(mark) }
        expectEqual(file.frameCount, lastFrame)
        try file.close()
        let whole = try AudioFile.open(path: file.path)
        expectEqual(whole.frameCount, lastFrame)
        #expect(whole.warnings.isEmpty)
        try expectEqual(Contents(of: whole, from: lastFrame - 5).bytes, Array(mark[..<(5 * Int(frameBytes))]))
    }

    @Test("CAF and Wave64 have no such limit")
    func endless() throws {
        let folder = ScratchFolder()
        let (caf, cafWriter, _) = try create(.caf, at: folder.file("caf")) {
            (samples) throws(AudioFileError) in try CAFContainer(samples)
        }
        let (wave64, wave64Writer, _) = try create(.wave64, at: folder.file("w64")) {
            (samples) throws(AudioFileError) in try Wave64Container(samples)
        }
        let holeFrames: Int64 = 5 << 28
        try cafWriter.appendHole(bytes: holeFrames * 4)
        try wave64Writer.appendHole(bytes: holeFrames * 4)
        for file in [caf, wave64] {
            try file.append(noise(count: 400))
            try file.close()
            expectEqual(file.maximumFrameCount, nil)
            let whole = try AudioFile.open(path: file.path)
            expectEqual(whole.frameCount, holeFrames + 100)
            try expectEqual(Contents(of: whole, from: holeFrames).bytes, noise(count: 400))
        }
    }
}
