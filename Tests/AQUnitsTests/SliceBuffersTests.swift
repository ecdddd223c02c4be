// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import CoreAudioTypes
import Testing

@testable import AQUnits

@Suite("A client's slices")
struct SliceBuffersTests {
    private static let stereo = AudioStreamBasicDescription.float(
        isInterleaved: false, channels: 2, sampleRate: 48_000)

    /// The stream's samples after `fill` has rendered a slice of four frames.
    private func rendered(
        _ format: AudioStreamBasicDescription,
        _ fill: (UnsafeMutableAudioBufferListPointer) -> Void
    ) throws -> [Float] {
        let client = try ClientFormat(format)
        let buffers = SliceBuffers(client, capacityFrames: 4)
        var slice = [UInt8](repeating: 0xAA, count: 4 * client.streamBytesPerFrame)
        unsafe slice.withUnsafeMutableBytes { memory in
            let list = unsafe buffers.silentList(frames: 4, over: memory)
            unsafe fill(UnsafeMutableAudioBufferListPointer(list))
            unsafe buffers.collect(frames: 4, into: memory)
        }
        return unsafe slice.withUnsafeBytes { bytes in
            (0..<4 * Int(format.mChannelsPerFrame)).map { index in
                switch client.encoding {
                case .float32: unsafe bytes.loadUnaligned(fromByteOffset: index * 4, as: Float.self)
                case .signed16:
                    unsafe Float(bytes.loadUnaligned(fromByteOffset: index * 2, as: Int16.self)) / 32_768
                default: .nan
                }
            }
        }
    }

    @Test("have a buffer for each channel of a non-interleaved format, and are interleaved for the device")
    func nonInterleaved() throws {
        let samples = unsafe try rendered(Self.stereo) { list in
            unsafe expectEqual(list.count, 2)
            for channel in 0..<2 {
                unsafe expectEqual(list[channel].mNumberChannels, 1)
                unsafe expectEqual(list[channel].mDataByteSize, 16)
                let floats = unsafe UnsafeMutableBufferPointer<Float>(list[channel])
                for frame in 0..<4 { unsafe floats[frame] = Float(frame) + (channel == 0 ? 0.25 : -0.25) }
            }
        }
        expectEqual(samples, [0.25, -0.25, 1.25, 0.75, 2.25, 1.75, 3.25, 2.75])
    }

    @Test("are silent if nothing is written", arguments: [true, false])
    func silent(isInterleaved: Bool) throws {
        let format = AudioStreamBasicDescription.float(
            isInterleaved: isInterleaved, channels: 2, sampleRate: 48_000)
        unsafe try expectEqual(rendered(format) { _ in }, [Float](repeating: 0, count: 8))
        let unsigned = AudioStreamBasicDescription.unsignedInteger(bits: 8, channels: 1, sampleRate: 8_000)
        unsafe try expectEqual(rendered(unsigned) { _ in }, [0, 0, 0, 0])
    }

    @Test(
        "of unsigned samples with unused bits are silent if nothing is written",
        arguments: [(20, 4), (24, 4), (9, 2), (6, 1)], [false, true])
    func silentUnsigned(size: (bits: UInt32, bytes: UInt32), isAlignedHigh: Bool) throws {
        for isBigEndian in [false, true] {
            var format = AudioStreamBasicDescription.unsignedInteger(
                bits: 8, channels: 1, sampleRate: 44_100)
            format.mFormatFlags = isAlignedHigh ? kAudioFormatFlagIsAlignedHigh : 0
            if isBigEndian { format.mFormatFlags |= kAudioFormatFlagIsBigEndian }
            format.mBitsPerChannel = size.bits
            (format.mBytesPerFrame, format.mBytesPerPacket) = (size.bytes, size.bytes)
            let client = try ClientFormat(format)
            let buffers = SliceBuffers(client, capacityFrames: 4)
            var slice = [UInt8](repeating: 0xAA, count: 4 * client.streamBytesPerFrame)
            unsafe slice.withUnsafeMutableBytes { memory in
                _ = unsafe buffers.silentList(frames: 4, over: memory)
                unsafe buffers.collect(frames: 4, into: memory)
            }
            #expect(slice.allSatisfy { $0 == 0 }, "\(format.summary)")
        }
    }

    @Test("end with silence where the client has reduced the size", arguments: [0, 1, 3])
    func reduced(frames: Int) throws {
        let format = AudioStreamBasicDescription.signedInteger(bits: 16, channels: 1, sampleRate: 44_100)
        let samples = unsafe try rendered(format) { list in
            let shorts = unsafe UnsafeMutableBufferPointer<Int16>(list[0])
            for frame in 0..<4 { unsafe shorts[frame] = 8_192 }
            unsafe list[0].mDataByteSize = UInt32(2 * frames)
        }
        expectEqual(samples, (0..<4).map { $0 < frames ? 0.25 : 0 })
    }

    @Test("are read where the client's pointers point after the call")
    func ownMemory() throws {
        let own = UnsafeMutablePointer<Float>.allocate(capacity: 4)
        defer { unsafe own.deallocate() }
        unsafe own.initialize(repeating: 0.5, count: 4)
        let format = AudioStreamBasicDescription.float(channels: 1, sampleRate: 48_000)
        unsafe try expectEqual(
            rendered(format) { list in unsafe list[0].mData = UnsafeMutableRawPointer(own) },
            [0.5, 0.5, 0.5, 0.5])
        unsafe try expectEqual(rendered(format) { list in unsafe list[0].mData = nil }, [0, 0, 0, 0])
    }

    @Test("of fixed-point numbers with bits before the binary point keep their level")
    func fixedPoint() throws {
        var format = AudioStreamBasicDescription.signedInteger(bits: 32, channels: 1, sampleRate: 44_100)
        format.mFormatFlags |= 24 << kLinearPCMFormatFlagsSampleFractionShift
        let samples = unsafe try rendered(format) { list in
            let numbers = unsafe UnsafeMutableBufferPointer<Int32>(list[0])
            for (index, number) in [1 << 24, -1 << 23, 1 << 22, 0].enumerated() {
                unsafe numbers[index] = Int32(number)
            }
        }
        expectEqual(samples, [1, -0.5, 0.25, 0])
    }

    @Test("of captured frames fill the client's memory, or lend it some")
    func delivered() throws {
        let client = try ClientFormat(Self.stereo)
        let buffers = SliceBuffers(client, capacityFrames: 8)
        var samples: [Float] = [1, -1, 2, -2, 3, -3]
        let list = unsafe AudioBufferList.allocate(maximumBuffers: 2)
        defer { unsafe free(list) }
        try unsafe samples.withUnsafeMutableBytes { memory in
            let start = unsafe try #require(memory.baseAddress)
            try unsafe buffers.deliver(start, frames: 3, to: list, lendsMemory: true)
        }
        unsafe expectEqual(Array(UnsafeMutableBufferPointer<Float>(list[0])), [1, 2, 3])
        unsafe expectEqual(Array(UnsafeMutableBufferPointer<Float>(list[1])), [-1, -2, -3])
    }

    @Test("of captured frames refuse a list with too few buffers, too little room or no memory")
    func refused() throws {
        let buffers = SliceBuffers(try ClientFormat(Self.stereo), capacityFrames: 8)
        let list = unsafe AudioBufferList.allocate(maximumBuffers: 2)
        defer { unsafe free(list) }
        func status(_ frames: Int, lends: Bool = true) -> UnitError.Code? {
            do throws(UnitError) {
                try unsafe buffers.check(list, frames: frames, lendsMemory: lends)
                return nil
            } catch { return error.code }
        }
        expectEqual(status(8), nil)
        expectEqual(status(9), .parameter)
        expectEqual(status(1, lends: false), .parameter)
        unsafe list.count = 1
        expectEqual(status(1), .parameter)
    }

    private func free(_ list: UnsafeMutableAudioBufferListPointer) {
        unsafe list.unsafeMutablePointer.deallocate()
    }
}
