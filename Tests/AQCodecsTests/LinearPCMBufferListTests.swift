// SPDX-License-Identifier: MIT

import AQCodecs
import AQExpectations
import CoreAudioTypes
import Glibc
import Testing

@Suite("Linear PCM conversion in buffer lists")
struct LinearPCMBufferListTests {
    /// Converts samples given as buffers, and returns the output buffers.
    private func convert(
        _ buffers: [[UInt8]], frames: Int, from: Format, to: Format, outputBuffers: Int, outputBytes: Int
    ) throws -> [[UInt8]] {
        let input = unsafe AudioBufferList.allocate(maximumBuffers: buffers.count)
        let output = unsafe AudioBufferList.allocate(maximumBuffers: outputBuffers)
        defer {
            for index in 0..<buffers.count { unsafe input[index].mData?.deallocate() }
            for index in 0..<outputBuffers { unsafe output[index].mData?.deallocate() }
            unsafe free(input.unsafeMutablePointer)
            unsafe free(output.unsafeMutablePointer)
        }
        for (index, bytes) in buffers.enumerated() {
            let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(bytes.count, 1), alignment: 1)
            unsafe memory.copyBytes(from: bytes)
            unsafe input[index] = AudioBuffer(
                mNumberChannels: 1, mDataByteSize: UInt32(bytes.count), mData: memory.baseAddress)
        }
        for index in 0..<outputBuffers {
            let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: outputBytes + 1, alignment: 1)
            unsafe memory.initializeMemory(as: UInt8.self, repeating: 0xA5)
            unsafe output[index] = AudioBuffer(
                mNumberChannels: 1, mDataByteSize: UInt32(outputBytes), mData: memory.baseAddress)
        }
        try unsafe LinearPCMConverter(from: from, to: to).convert(frames: frames, from: input, into: output)
        return (0..<outputBuffers).map { index in
            unsafe Array(UnsafeBufferPointer<UInt8>(output[index]))
        }
    }

    private let planar = Format.signedInteger(
        bits: 16, isBigEndian: true, isInterleaved: false, channels: 2, sampleRate: 44100)
    private let interleaved = Format.signedInteger(
        bits: 16, isBigEndian: false, channels: 2, sampleRate: 44100)
    private let wide = Format.signedInteger(
        bits: 24, isBigEndian: false, isInterleaved: false, channels: 2, sampleRate: 44100)

    @Test("channels are interleaved and their byte order is changed")
    func interleave() throws {
        let result = try convert(
            [[1, 2, 3, 4, 5, 6], [11, 12, 13, 14, 15, 16]], frames: 3, from: planar, to: interleaved,
            outputBuffers: 1, outputBytes: 20)
        expectEqual(result, [[2, 1, 12, 11, 4, 3, 14, 13, 6, 5, 16, 15]])
    }

    @Test("channels are deinterleaved and widened")
    func deinterleave() throws {
        let result = try convert(
            [[1, 2, 11, 12, 3, 4, 13, 14]], frames: 2, from: interleaved, to: wide, outputBuffers: 2,
            outputBytes: 6)
        expectEqual(result, [[0, 1, 2, 0, 3, 4], [0, 11, 12, 0, 13, 14]])
    }

    @Test("planar channels stay planar")
    func planarToPlanar() throws {
        let result = try convert(
            [[1, 2], [3, 4]], frames: 1, from: planar, to: wide, outputBuffers: 2, outputBytes: 3)
        expectEqual(result, [[0, 2, 1], [0, 4, 3]])
    }

    @Test("samples of one layout are copied unchanged between interleaved and planar")
    func sameLayout() throws {
        var from = interleaved
        from.mFormatFlags |= kAudioFormatFlagIsBigEndian
        try expectEqual(
            convert([[1, 2, 3, 4]], frames: 1, from: from, to: planar, outputBuffers: 2, outputBytes: 2),
            [[1, 2], [3, 4]])
    }

    @Test("zero frames need no memory and return none")
    func zeroFrames() throws {
        try expectEqual(
            convert([[], []], frames: 0, from: planar, to: wide, outputBuffers: 2, outputBytes: 3),
            [
                [], [],
            ])
    }

    @Test("missing and short buffers are refused", arguments: [-1, 2, .max])
    func refused(frames: Int) {
        #expect(throws: CodecError.self) {
            try convert(
                [[1, 2], [3]], frames: frames, from: planar, to: wide, outputBuffers: 2, outputBytes: 100)
        }
        #expect(throws: CodecError.self) {
            try convert(
                [[1, 2, 3, 4]], frames: frames, from: planar, to: wide, outputBuffers: 2, outputBytes: 100)
        }
        #expect(throws: CodecError.self) {
            try convert(
                [[1, 2, 3, 4], [1, 2, 3, 4]], frames: frames, from: planar, to: wide, outputBuffers: 2,
                outputBytes: 5)
        }
        #expect(throws: CodecError.self) {
            try convert(
                [[1, 2, 3, 4], [1, 2, 3, 4]], frames: frames, from: planar, to: wide, outputBuffers: 1,
                outputBytes: 100)
        }
    }

    @Test("one buffer for planar channels is refused")
    func flat() throws {
        let converter = try LinearPCMConverter(from: planar, to: wide)
        #expect(throws: CodecError.self) {
            try unsafe converter.convert(
                UnsafeRawBufferPointer(start: nil, count: 0),
                into: UnsafeMutableRawBufferPointer(start: nil, count: 0))
        }
    }
}
