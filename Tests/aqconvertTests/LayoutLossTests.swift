// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import CoreAudioTypes
import Testing
import AQTestSupport
import AQToolSupport

@testable import aqconvert

@Suite("The roles of channels, converted")
struct LayoutLossTests {
    private let folder: ScratchFolder

    init() throws {
        folder = ScratchFolder()
        let sides = [kAudioChannelLabel_LeftSurround, kAudioChannelLabel_RightSurround]
        try write("quad.wav", [kAudioChannelLabel_Left, kAudioChannelLabel_Right] + sides)
        try write(
            "two-one.wav", [kAudioChannelLabel_Left, kAudioChannelLabel_Right, kAudioChannelLabel_LFEScreen])
        try write("stereo.wav", ChannelLabels.defaults(channels: 2))
        try write("five-one.wav", ChannelLabels.defaults(channels: 6))
    }

    private func write(_ name: String, _ labels: [AudioChannelLabel]) throws {
        let writer = try AudioFileWriter.create(
            path: folder.file(name), type: .wave,
            format: .signedInteger(bits: 16, channels: labels.count, sampleRate: 44_100),
            channelLabels: labels)
        let silence = [UInt8](repeating: 0, count: 2 * labels.count * 4410)
        try unsafe silence.withUnsafeBytes { try unsafe writer.append($0) }
        try writer.close()
    }

    private func loss(_ channels: Int, _ kind: String) -> String {
        "the \(channels) channels keep their order, but \(kind) files give them other positions"
    }

    @Test("channels that change their role are reported")
    func lost() throws {
        try expectEqual(folder.warnings("two-one.wav", "a.flac"), [loss(3, "FLAC")])
        #if HAVE_AV_CODECS
        try expectEqual(folder.warnings("quad.wav", "b.m4a"), [loss(4, "MPEG-4")])
        try expectEqual(folder.warnings("-d", "aac", "quad.wav", "c.caf"), [loss(4, "CAF")])
        #endif
    }

    @Test("nothing is reported if channels keep their roles, or are mixed")
    func kept() throws {
        for name in ["quad.wav", "five-one.wav", "stereo.wav"] {
            try expectEqual(folder.warnings(name, "\(name).flac"), [])
        }
        try expectEqual(folder.warnings("two-one.wav", "a.caf"), [])
        try expectEqual(folder.warnings("two-one.wav", "b.aiff"), [])
        try expectEqual(folder.warnings("-c", "2", "two-one.wav", "c.flac"), [])
        #if HAVE_AV_CODECS
        try expectEqual(folder.warnings("five-one.wav", "d.m4a"), [])
        try expectEqual(folder.warnings("-d", "alac", "five-one.wav", "e.m4a"), [])
        #endif
    }
}
