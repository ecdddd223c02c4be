import AudioFiles
import CoreAudioTypes
import Testing
import ToolSupport

@testable import aqconvert

@Suite("The depth of samples, converted")
struct DepthTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
        try write("float.wav", .float(channels: 1, sampleRate: 44_100))
        try write("short.wav", .signedInteger(bits: 16, channels: 1, sampleRate: 44_100))
    }

    private func write(_ name: String, _ format: AudioStreamBasicDescription) throws {
        let writer = try AudioFileWriter.create(path: folder.path(name), type: .wave, format: format)
        let silence = [UInt8](repeating: 0, count: 4410 * Int(format.mBytesPerFrame))
        try unsafe silence.withUnsafeBytes { try unsafe writer.append($0) }
        try writer.close()
    }

    /// - Returns: What the conversion warns of.
    private func convert(_ arguments: String...) throws -> [String] {
        let paths = arguments.suffix(2).map(folder.path)
        guard case .convert(let options) = try Options.parse(arguments.dropLast(2) + paths) else {
            throw UsageError("nothing to convert")
        }
        let target = try #require(try Converting.targets(options).first)
        return try Conversion(
            input: target.input, output: target.output, type: target.type, options: options,
            isCancelled: { false }
        ).run().warnings
    }

    @Test("what a kind of file cannot hold is told: of the source, and of what was asked for")
    func lost() throws {
        let expected = ["floating-point samples of 32 bits become samples of 24 bits"]
        #expect(try convert("float.wav", "a.flac") == expected)
        #expect(try convert("-d", "F32", "short.wav", "b.flac") == expected)
        #expect(
            try convert("-d", "I32", "short.wav", "c.flac") == [
                "samples of 32 bits become samples of 24 bits"
            ])
    }

    @Test("nothing is told where nothing is lost, or where the loss was asked for")
    func kept() throws {
        #expect(try convert("float.wav", "a.caf") == [])
        #expect(try convert("-d", "I16", "float.wav", "b.wav") == [])
        #expect(try convert("short.wav", "c.flac") == [])
        #expect(try convert("-d", "F32", "short.wav", "d.wav") == [])
    }
}
