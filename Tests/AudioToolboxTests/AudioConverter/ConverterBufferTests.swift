// SPDX-License-Identifier: MIT

import AQExpectations
import CAQAudioToolbox
import CoreAudioTypes
import Glibc
import Testing

@testable import AQToolboxFunctions

@Suite struct ConverterBufferTests {
    private func convert(
        _ converter: ConverterCalls, _ input: [UInt8], room: Int
    ) -> (status: OSStatus, bytes: [UInt8]) {
        var output = [UInt8](repeating: 0, count: room)
        var size = UInt32(room)
        let status = unsafe output.withUnsafeMutableBytes { output in
            unsafe input.withUnsafeBytes { input in
                unsafe audioConverterConvertBuffer(
                    converter.handle, UInt32(input.count), input.baseAddress, &size, output.baseAddress)
            }
        }
        return (status, Array(output.prefix(Int(size))))
    }

    @Test("whole frames are converted; partial frames and too little room have results of their own")
    func convertsBuffer() {
        let converter = ConverterCalls(from: shorts(channels: 2), to: floats(channels: 2))
        let done = convert(converter, bytes([16_384, -16_384, 0, 32] as [Int16]), room: 64)
        expectEqual(done.status, noErr)
        expectEqual(samples(Float.self, done.bytes), [0.5, -0.5, 0, 32 / 32_768])
        let part = convert(converter, [0, 0, 0, 0, 0, 0], room: 64)
        expectEqual(part.status, kAudioConverterErr_InvalidInputSize)
        let small = convert(converter, bytes([1, 2, 3, 4] as [Int16]), room: 15)
        expectEqual(small.status, kAudioConverterErr_InvalidOutputSize)
    }

    @Test("buffers are not converted to another rate")
    func refusesRates() {
        let converter = ConverterCalls(from: shorts(rate: 48_000), to: shorts(rate: 44_100))
        let status = convert(converter, bytes([1, 2] as [Int16]), room: 64).status
        expectEqual(status, kAudioConverterErr_OperationNotSupported)
    }

    @Test("a list of planar buffers becomes one interleaved buffer, and no frame is kept for a next call")
    func interleaves() {
        let apart = AudioStreamBasicDescription.float(
            isInterleaved: false, channels: 2, sampleRate: 48_000)
        let converter = ConverterCalls(from: apart, to: floats(channels: 2))
        for round in 0..<2 {
            var left: [Float] = [1, 2, 3].map { $0 + Float(round) }
            var right: [Float] = [-1, -2, -3]
            var output = [Float](repeating: 0, count: 6)
            let list = unsafe AudioBufferList.allocate(maximumBuffers: 2)
            defer { unsafe free(list.unsafeMutablePointer) }
            let status = unsafe left.withUnsafeMutableBufferPointer { left in
                unsafe right.withUnsafeMutableBufferPointer { right in
                    unsafe output.withUnsafeMutableBufferPointer { output in
                        unsafe list[0] = AudioBuffer(left, numberOfChannels: 1)
                        unsafe list[1] = AudioBuffer(right, numberOfChannels: 1)
                        var target = unsafe AudioBufferList(
                            mNumberBuffers: 1, mBuffers: AudioBuffer(output, numberOfChannels: 2))
                        return unsafe audioConverterConvertComplexBuffer(
                            converter.handle, 3, list.unsafePointer, &target)
                    }
                }
            }
            expectEqual(status, noErr)
            expectEqual(output, zip(left, right).flatMap { [$0, $1] })
        }
    }

    @Test("a converter without a buffer converts buffers and fills none; changes of the rate are refused")
    func unbuffered() {
        var (source, destination) = (shorts(), floats())
        var handle: AudioConverterRef?
        unsafe expectEqual(audioConverterNewWithOptions(&source, &destination, 1 << 16, &handle), noErr)
        var count: UInt32 = 1
        var list = unsafe AudioBufferList(mNumberBuffers: 1, mBuffers: AudioBuffer())
        let giver = BlockGiver([[0, 0]], bytesPerPacket: 2)
        unsafe expectEqual(
            audioConverterFillComplexBuffer(handle, giveBlock, giver.context, &count, &list, nil),
            kAudioConverterErr_OperationNotSupported)
        unsafe expectEqual(audioConverterDispose(handle), noErr)
        destination.mSampleRate = 44_100
        unsafe expectEqual(
            audioConverterNewWithOptions(&source, &destination, 1 << 16, &handle),
            kAudioConverterErr_FormatNotSupported)
        unsafe expectEqual(handle, nil)
        unsafe expectEqual(
            audioConverterNewWithOptions(&source, &destination, 1, &handle), kAudio_ParamError)
    }
}
