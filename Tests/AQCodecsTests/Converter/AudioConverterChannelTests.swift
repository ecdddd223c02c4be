// SPDX-License-Identifier: MIT

import AQCodecs
import AQExpectations
import CoreAudioTypes
import Glibc
import Testing

@Suite("Audio converter, channels")
struct AudioConverterChannelTests {
    private func floats(_ channels: Int, rate: Double = 48000) -> Format {
        .float(channels: channels, sampleRate: rate)
    }

    private func convert(_ converter: AudioConverter, _ input: [Float]) throws -> [Float] {
        let feed = PacketFeed(
            rawBytes(of: input), bytesPerPacket: Int(converter.inputFormat.mBytesPerPacket),
            turns: [.packets(70)])
        return samples(Float.self, of: try converter.convertAll(feed, packetsPerCall: 123).bytes)
    }

    @Test("each number of channels is mixed by the matrix of its layouts", arguments: 1...8, 1...8)
    func mixed(inputs: Int, outputs: Int) throws {
        let matrix = try #require(
            ChannelMatrix(
                from: ChannelLabels.defaults(channels: inputs),
                to: ChannelLabels.defaults(channels: outputs)))
        let input = (0..<500 * inputs).map { Float($0 % 977) / 977 - 0.5 }
        let output = try convert(AudioConverter(from: floats(inputs), to: floats(outputs)), input)
        expectEqual(output.count, 500 * outputs)
        var worst: Float = 0
        for frame in 0..<500 {
            for column in 0..<outputs {
                let sum = (0..<inputs).reduce(0) { $0 + input[frame * inputs + $1] * matrix[$1, column] }
                worst = max(worst, abs(output[frame * outputs + column] - sum))
            }
        }
        #expect(worst < 1e-6)
    }

    @Test("a map copies samples of every type bit for bit, also silence", arguments: [8, 16, 24, 32])
    func mapped(bits: Int) throws {
        for isSigned in [true, false] {
            for isBigEndian in [true, false] {
                let make = isSigned ? Format.signedInteger : Format.unsignedInteger
                let three = make(bits, nil, isBigEndian, true, 3, 48000)
                let four = make(bits, nil, isBigEndian, true, 4, 48000)
                let size = bits / 8
                let input = (0..<100 * 3 * size).map { UInt8(truncatingIfNeeded: $0 &* 0x9D) }
                let converter = try AudioConverter(from: three, to: four)
                converter.channelMap = [2, -1, 0, 2]
                let feed = PacketFeed(input, bytesPerPacket: 3 * size, turns: [.packets(33)])
                let output = try converter.convertAll(feed).bytes
                var silence = [UInt8](repeating: 0, count: size)
                if !isSigned { silence[isBigEndian ? 0 : size - 1] = 0x80 }
                let expected = (0..<100).flatMap { frame -> [UInt8] in
                    let samples = (0..<3).map { input[(frame * 3 + $0) * size..<(frame * 3 + $0 + 1) * size] }
                    return Array(samples[2]) + silence + samples[0] + samples[2]
                }
                expectEqual(output, expected)
            }
        }
    }

    @Test("a map of another channel count is refused when it is used")
    func wrongMap() throws {
        for map in [[0], [0, 1, 0], [0, 2]] {
            let converter = try AudioConverter(from: floats(2), to: floats(2))
            converter.channelMap = map
            let error = #expect(throws: CodecError.self) { try convert(converter, [1, 2]) }
            expectEqual(error?.code, .invalidFormat)
            converter.channelMap = nil
            try expectEqual(convert(converter, [0.25, 0.5]), [0.25, 0.5])
        }
    }

    @Test("layouts of another channel count are refused")
    func wrongLabels() {
        let error = #expect(throws: CodecError.self) {
            _ = try AudioConverter(from: floats(2), to: floats(2), inputLabels: [1, 2, 3])
        }
        expectEqual(error?.code, .invalidFormat)
    }

    @Test("a custom matrix is used unchanged, and a later one after a reset")
    func ownMatrix() throws {
        let converter = try AudioConverter(from: floats(2), to: floats(1))
        converter.mixMatrix = ChannelMatrix(inputs: 2, outputs: 1, gains: [0.25, -1])
        try expectEqual(convert(converter, [1, 0.5, 0.5, 0]), [-0.25, 0.125])
        converter.mixMatrix = ChannelMatrix(inputs: 2, outputs: 1, gains: [0, 1])
        try converter.reset()
        try expectEqual(convert(converter, [1, 0.5, 0.5, 0]), [0.5, 0])
    }

    @Test("mixing and rate conversion keep the length and the level in both orders")
    func mixedAndConverted() throws {
        for (inputs, outputs) in [(1, 2), (2, 1), (6, 2), (2, 6)] {
            let converter = try AudioConverter(from: floats(inputs), to: floats(outputs, rate: 44100))
            let output = try convert(
                converter, [Float](repeating: 0.5, count: 9600 * inputs))
            expectEqual(output.count, 8820 * outputs)
            let middle = output[(4000 * outputs)..<(4001 * outputs)]
            #expect(abs(middle[middle.startIndex] - 0.5) < 0.25)
            #expect(middle.allSatisfy { $0 == 0 || abs($0) > 0.2 })
        }
    }

    @Test("planar buffers are read and written")
    func planar() throws {
        let apart = Format.float(isInterleaved: false, channels: 2, sampleRate: 48000)
        let left = (0..<500).map { Float($0) }
        let right = left.map { -$0 }
        let joined = zip(left, right).flatMap { [$0, $1] }
        // Interleaved, from two planar buffers.
        let joining = try AudioConverter(from: apart, to: floats(2))
        let source = try #require(BufferList(left, right))
        var room = [UInt8](repeating: 0, count: 600 * 8)
        var isGiven = false
        let filled = try unsafe room.withUnsafeMutableBytes { room in
            try unsafe joining.fill(room, maximumPackets: 600) { _ in
                defer { isGiven = true }
                return unsafe isGiven ? .endOfStream : .buffers(source.pointer, frames: 500)
            }
        }
        expectEqual(filled, .init(packets: 500, bytes: 4000, isEnd: true))
        expectEqual(samples(Float.self, of: Array(room.prefix(4000))), joined)
        // Planar, into two buffers that hold 300 frames.
        let parting = try AudioConverter(from: floats(2), to: apart)
        let feed = PacketFeed(floats: joined, channels: 2)
        let target = try #require(
            BufferList([Float](repeating: 0, count: 300), [Float](repeating: 0, count: 300)))
        let some = try unsafe parting.fill(target.pointer, maximumPackets: 1000, supply: feed.supply)
        expectEqual(some, .init(packets: 300, bytes: 1200))
        #expect(target.channel(0) == Array(left[..<300]) && target.channel(1) == Array(right[..<300]))
        let rest = try unsafe parting.fill(target.pointer, maximumPackets: 1000, supply: feed.supply)
        expectEqual(rest, .init(packets: 200, bytes: 800, isEnd: true))
        expectEqual(target.channel(1).prefix(200), right[300...])
    }

    @Test("one buffer for planar channels is refused, and so is a list with too few buffers")
    func planarMisuse() throws {
        let apart = Format.float(isInterleaved: false, channels: 2, sampleRate: 48000)
        let parting = try AudioConverter(from: floats(2), to: apart)
        var room = [UInt8](repeating: 0, count: 64)
        let error = #expect(throws: CodecError.self) {
            try unsafe room.withUnsafeMutableBytes { room in
                _ = try unsafe parting.fill(
                    room, maximumPackets: 1, supply: PacketFeed(floats: [1, 2], channels: 2).supply)
            }
        }
        expectEqual(error?.code, .unsupportedOperation)
        let joining = try AudioConverter(from: apart, to: floats(2))
        let short = try #require(BufferList([1, 2, 3], [1, 2]))
        let refused = #expect(throws: CodecError.self) {
            try unsafe room.withUnsafeMutableBytes { room in
                _ = try unsafe joining.fill(room, maximumPackets: 8) { _ in
                    unsafe .buffers(short.pointer, frames: 3)
                }
            }
        }
        expectEqual(refused?.code, .invalidInputSize)
    }
}

/// A list of two buffers of floats, with memory of its own.
@safe private final class BufferList {
    let pointer: UnsafeMutableAudioBufferListPointer

    init?(_ channels: [Float]...) {
        let list = unsafe AudioBufferList.allocate(maximumBuffers: channels.count)
        unsafe pointer = list
        for (index, channel) in channels.enumerated() {
            let memory = UnsafeMutablePointer<Float>.allocate(capacity: max(channel.count, 1))
            unsafe memory.initialize(from: channel, count: channel.count)
            unsafe pointer[index] = AudioBuffer(
                mNumberChannels: 1, mDataByteSize: UInt32(channel.count * 4),
                mData: UnsafeMutableRawPointer(memory))
        }
    }

    deinit {
        for index in unsafe pointer.indices { unsafe pointer[index].mData?.deallocate() }
        unsafe free(pointer.unsafeMutablePointer)
    }

    func channel(_ index: Int) -> [Float] {
        let buffer = unsafe pointer[index]
        let bytes = unsafe UnsafeRawBufferPointer(start: buffer.mData, count: Int(buffer.mDataByteSize))
        return unsafe samples(Float.self, of: Array(bytes))
    }
}
