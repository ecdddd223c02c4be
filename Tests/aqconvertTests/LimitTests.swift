// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import CoreAudioTypes
import Foundation
import Testing
import AQTestSupport

@testable import aqconvert

@Suite("Written files can be read")
struct LimitTests {
    private let conversions: ConversionTests

    init() throws { conversions = try ConversionTests() }

    private static let kinds = ["wav", "rf64", "aiff", "aifc", "caf", "w64"]

    @Test("of many channels", arguments: kinds, [33, 64, 128, 1024])
    func channels(kind: String, channels: Int) throws {
        let samples = try conversions.writeWave("in.wav", frames: 100, channels: 1)
        expectEqual(conversions.convert("-c", "\(channels)", "in.wav", "out.\(kind)"), 0)
        let (read, file) = try conversions.read("out.\(kind)")
        expectEqual(file.format.mChannelsPerFrame, UInt32(channels))
        expectEqual(read.count, 100 * channels)
        expectEqual(stride(from: 0, to: read.count, by: channels).map { read[$0] }, samples)
        // And all higher ones.
        expectEqual(conversions.convert("out.\(kind)", "back.caf"), 0)
    }

    @Test("of high rates", arguments: kinds, [384_001.0, 705_600, 768_000])
    func rates(kind: String, rate: Double) throws {
        _ = try conversions.writeWave("in.wav", frames: 5000, channels: 1, rate: 48_000)
        expectEqual(conversions.convert("-d", "@\(Int(rate))", "in.wav", "out.\(kind)"), 0)
        let file = try AudioFile.open(path: conversions.folder.file("out.\(kind)"))
        expectEqual(file.format.mSampleRate, rate)
        expectEqual(conversions.convert("out.\(kind)", "back.caf"), 0)
    }

    @Test("and unsupported ones are refused before a file is created")
    func refused() throws {
        _ = try conversions.writeWave("in.wav", frames: 10, channels: 1)
        expectEqual(conversions.convert("-c", "1025", "in.wav", "out.wav"), 64)
        expectEqual(conversions.convert("-c", "64", "in.wav", "out.flac"), 1)
        expectEqual(conversions.convert("-d", "@768001", "in.wav", "out.wav"), 64)
        expectEqual(conversions.folder.names, ["in.wav"])
    }
}
