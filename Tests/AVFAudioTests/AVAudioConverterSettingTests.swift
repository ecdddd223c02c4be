// SPDX-License-Identifier: MIT

import AQExpectations
import AVFAudio
import Foundation
import AQTestSupport
import Testing

@Suite("Settings of AVAudioConverter") struct AVAudioConverterSettingTests {
    private func format(_ rate: Double, channels: UInt32 = 1) throws -> AVAudioFormat {
        try #require(AVAudioFormat(standardFormatWithSampleRate: rate, channels: channels))
    }

    /// Converts a stereo buffer with the levels 0.25 and 0.5 to mono, and returns the level.
    private func level(_ set: (AVAudioConverter) -> Void) throws -> Float? {
        let converter = try #require(
            AVAudioConverter(from: format(48_000, channels: 2), to: format(48_000)))
        set(converter)
        let input = try OfflineRig.buffer(64) { _, channel in channel == 0 ? 0.25 : 0.5 }
        let output = try #require(AVAudioPCMBuffer(pcmFormat: converter.outputFormat, frameCapacity: 64))
        try converter.convert(to: output, from: input)
        return unsafe output.floatChannelData?[0][7]
    }

    @Test("a channel map overrides a downmix, whichever is set first") func channelMap() throws {
        let after = try level {
            $0.downmix = true
            $0.channelMap = [1]
            #expect($0.downmix && $0.channelMap == [1])
        }
        let before = try level {
            $0.channelMap = [1]
            $0.downmix = true
        }
        #expect(after == 0.5 && before == 0.5)
        try expectEqual(level { $0.downmix = true }, 0.375)
    }

    @Test("the algorithm of minimum phase has little delay, and keeps aliases away") func minimumPhase()
        throws
    {
        let converter = try #require(AVAudioConverter(from: format(48_000), to: format(16_000)))
        converter.sampleRateConverterAlgorithm = AVSampleRateConverterAlgorithm_MinimumPhase
        #expect(converter.primeInfo.trailingFrames < 30)
        var levels: [Float] = []
        for frequency in [1000.0, 8600] {
            converter.reset()
            let input = try OfflineRig.buffer(9600, channels: 1) { frame, _ in
                Float(0.5 * sin(2 * .pi * frequency * Double(frame) / 48_000))
            }
            let output = try #require(
                AVAudioPCMBuffer(pcmFormat: converter.outputFormat, frameCapacity: 3300))
            nonisolated(unsafe) var next: AVAudioPCMBuffer? = input
            _ = unsafe converter.convert(to: output, error: nil) { _, status in
                defer { unsafe next = nil }
                unsafe status.pointee = next == nil ? .endOfStream : .haveData
                return unsafe next
            }
            expectEqual(output.frameLength, 3200)
            levels.append((400..<2800).map { unsafe abs(output.floatChannelData?[0][$0] ?? 1) }.max() ?? 1)
        }
        #expect(abs(levels[0] - 0.5) < 0.001 && levels[1] < 0.00001, "\(levels)")
    }

    @Test("a value that many converters refuse is reported once") func reports() async throws {
        await #expect(processExitsWith: .success) {
            let (reading, writing) = try Self.pipe()
            _ = dup2(writing, 2)
            for _ in 0..<70 {
                let converter = AVAudioConverter(
                    from: AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1)!,
                    to: AVAudioFormat(standardFormatWithSampleRate: 16_000, channels: 1)!)
                converter?.sampleRateConverterQuality = 1000
            }
            var bytes = [UInt8](repeating: 0, count: 10_000)
            let count = unsafe read(reading, &bytes, bytes.count)
            precondition(bytes.prefix(count).count { $0 == 10 } == 1)
        }
    }

    private static func pipe() throws -> (Int32, Int32) {
        var ends: [Int32] = [0, 0]
        guard unsafe Glibc.pipe(&ends) == 0 else { throw CocoaError(.fileReadUnknown) }
        return (ends[0], ends[1])
    }
}
