// SPDX-License-Identifier: MIT

import AQExpectations
import AVFAudio
import AudioToolbox
import Foundation
import Synchronization
import Testing

@Suite("AVAudioConverter") struct AVAudioConverterTests {
    private func format(
        _ kind: AVAudioCommonFormat, _ rate: Double, _ channels: AVAudioChannelCount
    ) throws -> AVAudioFormat {
        try #require(
            AVAudioFormat(commonFormat: kind, sampleRate: rate, channels: channels, interleaved: true))
    }

    /// A frame of a sine of 440 Hz with an amplitude of 0.5.
    private func wave(_ frame: Int, _ rate: Double) -> Double {
        0.5 * sin(2 * .pi * 440 * Double(frame) / rate)
    }

    /// Frames of the sine.
    private func sine(_ format: AVAudioFormat, from first: Int, frames: Int) throws -> AVAudioPCMBuffer {
        let buffer = try #require(
            AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(frames)))
        buffer.frameLength = buffer.frameCapacity
        for channel in 0..<Int(format.channelCount) {
            for frame in 0..<frames {
                let value = wave(first + frame, format.sampleRate)
                unsafe buffer.floatChannelData?[channel][frame * buffer.stride] = Float(value)
            }
        }
        return buffer
    }

    private final class Feed: @unchecked Sendable {
        private let buffers: Mutex<[AVAudioPCMBuffer]>
        let endsStream: Bool
        init(_ buffers: sending [AVAudioPCMBuffer], endsStream: Bool) {
            self.buffers = Mutex(buffers)
            self.endsStream = endsStream
        }
        func next(_ status: UnsafeMutablePointer<AVAudioConverterInputStatus>) -> AVAudioBuffer? {
            let next = buffers.withLock { buffers in
                nonisolated(unsafe) let next = buffers.isEmpty ? nil : buffers.removeFirst()
                return unsafe next
            }
            unsafe status.pointee = next != nil ? .haveData : endsStream ? .endOfStream : .noDataNow
            return next
        }
    }

    @Test("formats of one rate are converted from buffer to buffer") func simple() throws {
        let (from, to) = try (format(.pcmFormatFloat32, 48_000, 2), format(.pcmFormatInt16, 48_000, 2))
        let converter = try #require(AVAudioConverter(from: from, to: to))
        let input = try sine(from, from: 0, frames: 480)
        let output = try #require(AVAudioPCMBuffer(pcmFormat: to, frameCapacity: 500))
        try converter.convert(to: output, from: input)
        expectEqual(output.frameLength, 480)
        let expected = (wave(27, 48_000) * 32_768).rounded()
        #expect(unsafe abs(Double(output.int16ChannelData?[1][27 * 2] ?? 0) - expected) <= 1)
        let small = try #require(AVAudioPCMBuffer(pcmFormat: to, frameCapacity: 100))
        #expect(throws: NSError.self) { try converter.convert(to: small, from: input) }
        let slower = try #require(AVAudioConverter(from: from, to: format(.pcmFormatFloat32, 16_000, 2)))
        #expect(throws: NSError.self) { try slower.convert(to: output, from: input) }
    }

    @Test("a stream in pieces is as long and as smooth as its input") func stream() throws {
        let (from, to) = try (format(.pcmFormatFloat32, 44_100, 1), format(.pcmFormatFloat32, 16_000, 1))
        let converter = try #require(AVAudioConverter(from: from, to: to))
        let feed = Feed(try (0..<100).map { try sine(from, from: $0 * 441, frames: 441) }, endsStream: true)
        var samples: [Float] = []
        var statuses: [AVAudioConverterOutputStatus] = []
        repeat {
            let output = try #require(AVAudioPCMBuffer(pcmFormat: to, frameCapacity: 700))
            var error: NSError?
            statuses.append(
                unsafe converter.convert(to: output, error: &error) { _, status in unsafe feed.next(status) })
            expectEqual(error, nil)
            unsafe samples += unsafe UnsafeBufferPointer(
                start: output.floatChannelData?[0], count: Int(output.frameLength))
        } while statuses.last == .haveData
        expectEqual(statuses.last, .endOfStream)
        expectEqual(samples.count, 16_000)
        let farthest =
            samples.indices.dropFirst(200).dropLast(200).map { index in
                abs(Double(samples[index]) - wave(index, 16_000))
            }.max() ?? 1
        #expect(farthest < 0.001)
        // Nothing more comes until a reset.
        let output = try #require(AVAudioPCMBuffer(pcmFormat: to, frameCapacity: 700))
        let more = Feed([try sine(from, from: 0, frames: 4410)], endsStream: true)
        unsafe expectEqual(
            converter.convert(to: output, error: nil) { _, status in unsafe more.next(status) }, .endOfStream)
        converter.reset()
        unsafe expectEqual(
            converter.convert(to: output, error: nil) { _, status in unsafe more.next(status) }, .haveData)
        expectEqual(output.frameLength, 700)
    }

    @Test("a block without data gives what there is, and the next conversion continues") func ranDry() throws
    {
        let (from, to) = try (format(.pcmFormatFloat32, 48_000, 1), format(.pcmFormatFloat32, 24_000, 1))
        let converter = try #require(AVAudioConverter(from: from, to: to))
        var samples: [Float] = []
        for piece in 0..<50 {
            let feed = Feed([try sine(from, from: piece * 480, frames: 480)], endsStream: false)
            let output = try #require(AVAudioPCMBuffer(pcmFormat: to, frameCapacity: 1000))
            unsafe expectEqual(
                converter.convert(to: output, error: nil) { _, status in unsafe feed.next(status) },
                .inputRanDry)
            unsafe samples += unsafe UnsafeBufferPointer(
                start: output.floatChannelData?[0], count: Int(output.frameLength))
        }
        // The filter holds the last frames.
        #expect(samples.count > 12_000 - 600, "\(samples.count)")
        #expect(samples.count <= 12_000)
        let farthest =
            samples.indices.dropFirst(200).map { index in
                abs(Double(samples[index]) - wave(index, 24_000))
            }.max() ?? 1
        #expect(farthest < 0.001)
    }

    @Test("input that the output has no room for is the first of the next conversion") func leftOver() throws
    {
        let float = try format(.pcmFormatFloat32, 48_000, 1)
        let converter = try #require(
            AVAudioConverter(from: float, to: try format(.pcmFormatInt16, 48_000, 1)))
        let feed = Feed([try sine(float, from: 0, frames: 100)], endsStream: false)
        var lengths: [AVAudioFrameCount] = []
        var samples: [Int16] = []
        for _ in 0..<3 {
            let output = try #require(AVAudioPCMBuffer(pcmFormat: converter.outputFormat, frameCapacity: 40))
            _ = unsafe converter.convert(to: output, error: nil) { _, status in unsafe feed.next(status) }
            lengths.append(output.frameLength)
            unsafe samples += unsafe UnsafeBufferPointer(
                start: output.int16ChannelData?[0], count: Int(output.frameLength))
        }
        expectEqual(lengths, [40, 40, 20])
        #expect(abs(Double(samples[90]) - wave(90, 48_000) * 32_768) <= 1)
    }

    @Test("stereo becomes mono at the same level, and a channel map selects channels") func mono() throws {
        let (stereo, mono) = try (format(.pcmFormatFloat32, 48_000, 2), format(.pcmFormatFloat32, 48_000, 1))
        func convert(_ from: AVAudioFormat, _ map: [NSNumber]?) throws -> Float {
            let converter = try #require(AVAudioConverter(from: from, to: mono))
            if let map { converter.channelMap = map }
            let input = try #require(AVAudioPCMBuffer(pcmFormat: from, frameCapacity: 10))
            input.frameLength = 10
            for frame in 0..<10 {
                unsafe input.floatChannelData?[0][frame * input.stride] = 0.5
                unsafe input.floatChannelData?[1][frame * input.stride] = map == nil ? 0.5 : 0.25
            }
            let output = try #require(AVAudioPCMBuffer(pcmFormat: mono, frameCapacity: 10))
            try converter.convert(to: output, from: input)
            return unsafe output.floatChannelData?[0][5] ?? 0
        }
        try expectEqual(convert(stereo, nil), 0.5)
        try expectEqual(convert(stereo, [1]), 0.25)
        try expectEqual(convert(stereo, [-1]), 0)
        // Layouts without loudspeakers are not silent.
        for tag in [kAudioChannelLayoutTag_DiscreteInOrder | 2, kAudioChannelLayoutTag_Binaural] {
            let layout = try #require(AVAudioChannelLayout(layoutTag: tag))
            let odd = AVAudioFormat(
                commonFormat: .pcmFormatFloat32, sampleRate: 48_000, interleaved: true, channelLayout: layout)
            try expectEqual(convert(odd, nil), 0.5)
        }
    }

    @Test(
        "AAC is encoded and decoded in memory, in the encoder's format or the one that the client asked for",
        arguments: [false, true])
    func encoder(isClientFormat: Bool) throws {
        let pcm = try format(.pcmFormatFloat32, 44_100, 1)
        var asbd = AudioStreamBasicDescription()
        (asbd.mFormatID, asbd.mSampleRate, asbd.mChannelsPerFrame) = (kAudioFormatMPEG4AAC, 44_100, 1)
        let aac = try #require(unsafe AVAudioFormat(streamDescription: &asbd))
        let encoder = try #require(AVAudioConverter(from: pcm, to: aac))
        let packetFormat = isClientFormat ? aac : encoder.outputFormat
        encoder.bitRate = 96_000
        #expect(encoder.bitRate == 96_000 && encoder.maximumOutputPacketSize > 0)
        expectEqual(encoder.applicableEncodeBitRates?.isEmpty, false)
        let feed = Feed([try sine(pcm, from: 0, frames: 20_480)], endsStream: true)
        var packets: [AVAudioCompressedBuffer] = []
        while true {
            let output = AVAudioCompressedBuffer(
                format: packetFormat, packetCapacity: 8,
                maximumPacketSize: encoder.maximumOutputPacketSize)
            var error: NSError?
            let status = unsafe encoder.convert(to: output, error: &error) { _, status in
                unsafe feed.next(status)
            }
            expectEqual(error, nil)
            guard status == .haveData else { break }
            #expect(output.packetCount > 0 && output.byteLength > 0)
            #expect(unsafe output.packetDescriptions?[0].mDataByteSize ?? 0 > 0)
            packets.append(output)
        }
        #expect(packets.map(\.packetCount).reduce(0, +) >= 20)
        let decoder = try #require(AVAudioConverter(from: packetFormat, to: pcm))
        decoder.magicCookie = encoder.magicCookie
        let output = try #require(AVAudioPCMBuffer(pcmFormat: pcm, frameCapacity: 40_000))
        let waiting = Mutex(packets.count)
        nonisolated(unsafe) let queue = packets
        let status = unsafe decoder.convert(to: output, error: nil) { _, status in
            let left = waiting.withLock { left in
                left -= 1
                return left
            }
            unsafe status.pointee = left >= 0 ? .haveData : .endOfStream
            return unsafe left >= 0 ? queue[queue.count - 1 - left] : nil
        }
        #expect(status == .haveData && output.frameLength >= 20_480)
        let peak = (5000..<15_000).map { unsafe abs(output.floatChannelData?[0][$0] ?? 0) }.max() ?? 0
        #expect(abs(peak - 0.5) < 0.02)
    }

    @Test("impossible conversions make no converter") func impossible() throws {
        var asbd = AudioStreamBasicDescription()
        (asbd.mFormatID, asbd.mSampleRate, asbd.mChannelsPerFrame) = (kAudioFormatAMR, 8000, 1)
        let amr = try #require(unsafe AVAudioFormat(streamDescription: &asbd))
        try expectEqual(AVAudioConverter(from: format(.pcmFormatInt16, 8000, 1), to: amr), nil)
        let none = try #require(AVAudioFormat(standardFormatWithSampleRate: 0, channels: 0))
        try expectEqual(AVAudioConverter(from: none, to: format(.pcmFormatInt16, 8000, 1)), nil)
    }
}
