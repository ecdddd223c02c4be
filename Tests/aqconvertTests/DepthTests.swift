// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import CoreAudioTypes
import Testing
import AQTestSupport
import AQToolSupport

@testable import aqconvert

@Suite("The depth of samples, converted")
struct DepthTests {
    private let folder: ScratchFolder

    init() throws {
        folder = ScratchFolder()
        try write("float.wav", .float(channels: 1, sampleRate: 44_100))
        try write("short.wav", .signedInteger(bits: 16, channels: 1, sampleRate: 44_100))
    }

    private func write(_ name: String, _ format: AudioStreamBasicDescription) throws {
        let writer = try AudioFileWriter.create(path: folder.file(name), type: .wave, format: format)
        let silence = [UInt8](repeating: 0, count: 4410 * Int(format.mBytesPerFrame))
        try unsafe silence.withUnsafeBytes { try unsafe writer.append($0) }
        try writer.close()
    }

    @Test("a depth that a file type does not support is reported: of the source, and of the request")
    func lost() throws {
        let expected = ["floating-point samples of 32 bits become samples of 24 bits"]
        try expectEqual(folder.warnings("float.wav", "a.flac"), expected)
        try expectEqual(folder.warnings("-d", "F32", "short.wav", "b.flac"), expected)
        try expectEqual(
            folder.warnings("-d", "I32", "short.wav", "c.flac"),
            [
                "samples of 32 bits become samples of 24 bits"
            ])
    }

    @Test("nothing is reported if nothing is lost, or if the loss was requested")
    func kept() throws {
        try expectEqual(folder.warnings("float.wav", "a.caf"), [])
        try expectEqual(folder.warnings("-d", "I16", "float.wav", "b.wav"), [])
        try expectEqual(folder.warnings("short.wav", "c.flac"), [])
        try expectEqual(folder.warnings("-d", "F32", "short.wav", "d.wav"), [])
    }

    @Test("FLAC keeps its depth, and every sample, through any lossless format", arguments: [8, 16, 24])
    func depthOfFLAC(bits: Int) throws {
        let format = try AudioFileType.flac.pcmFormat(
            sampleRate: 44_100, channels: 1, bits: bits, isFloat: false)
        var generator = SystemRandomNumberGenerator()
        let samples = (0..<4410 * bits / 8).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let writer = try AudioFileWriter.create(path: folder.file("in.flac"), type: .flac, format: format)
        try unsafe samples.withUnsafeBytes { try unsafe writer.append($0) }
        try writer.close()
        try expectEqual(folder.warnings("in.flac", "a.flac"), [])
        try expectEqual(folder.warnings("a.flac", "b.caf"), [])
        try expectEqual(folder.warnings("-d", "I\(bits)", "a.flac", "c.caf"), [])
        for name in ["a.flac", "b.caf", "c.caf"] {
            let file = try AudioFile.open(path: folder.file(name))
            expectEqual(file.format.mBitsPerChannel, UInt32(bits), "\(name)")
            var room = [UInt8](repeating: 0, count: samples.count + 8)
            let read = try unsafe room.withUnsafeMutableBytes { room in
                try unsafe file.readPackets(
                    from: 0, into: room,
                    descriptions: UnsafeMutableBufferPointer<AudioStreamPacketDescription>(
                        start: nil, count: 0))
            }
            expectEqual(Array(room[..<read.bytes]), samples, "\(name)")
        }
    }
}
