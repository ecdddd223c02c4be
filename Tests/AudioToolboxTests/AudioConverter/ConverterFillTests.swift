// SPDX-License-Identifier: MIT

import AQCodecs
import AQExpectations
import CAQAudioToolbox
import CoreAudioTypes
import Testing

@testable import AQToolboxFunctions

@Suite struct ConverterFillTests {
    private let ramp: [Int16] = (0..<1000).map { Int16($0 * 16) }
    private var scaled: [Float] { ramp.map { Float($0) / 32_768 } }

    @Test(
        "frames are converted, and the stream ends with fewer than requested and then none",
        arguments: [false, true])
    func convertsToTheEnd(isCopying: Bool) {
        let converter = ConverterCalls(from: shorts(), to: floats())
        let giver = BlockGiver([bytes(Array(ramp[..<300])), bytes(Array(ramp[300...]))], bytesPerPacket: 2)
        giver.isCopying = isCopying
        var played: [Float] = []
        for expected in [400, 400, 200, 0, 0] {
            let filled = converter.fill(packets: 400, from: giver)
            expectEqual(filled.status, noErr)
            expectEqual(filled.packets, expected)
            expectEqual(filled.bytes.count, expected * 4)
            played += samples(Float.self, filled.bytes)
        }
        expectEqual(played, scaled)
    }

    @Test("a procedure that provides no bytes but keeps the packet count ends the stream")
    func endsByBytes() {
        let converter = ConverterCalls(from: shorts(), to: floats())
        let giver = BlockGiver([bytes(ramp)], bytesPerPacket: 2)
        giver.leavesPackets = true
        expectEqual(converter.fill(packets: 2000, from: giver).packets, 1000)
        expectEqual(converter.fill(packets: 2000, from: giver).packets, 0)
    }

    @Test("a status of the procedure is returned with the available frames, and nothing is lost")
    func waits() {
        let converter = ConverterCalls(from: shorts(), to: floats())
        let giver = BlockGiver([bytes(Array(ramp[..<10]))], bytesPerPacket: 2)
        giver.statusWithoutBlock = 77
        let first = converter.fill(packets: 100, from: giver)
        expectEqual(first.status, 77)
        expectEqual(samples(Float.self, first.bytes), Array(scaled[..<10]))
        expectEqual(converter.fill(packets: 100, from: giver).status, 77)
        giver.blocks = [bytes(Array(ramp[10..<200]))]
        let second = converter.fill(packets: 100, from: giver)
        expectEqual(second.status, noErr)
        expectEqual(samples(Float.self, second.bytes), Array(scaled[10..<110]))
    }

    @Test("after a reset a new stream begins, and no procedure is called before it")
    func resets() {
        let converter = ConverterCalls(from: shorts(), to: floats())
        let giver = BlockGiver([], bytesPerPacket: 2)
        expectEqual(converter.fill(packets: 10, from: giver).packets, 0)
        giver.blocks = [bytes(ramp)]
        expectEqual(converter.fill(packets: 10, from: giver).packets, 0)
        expectEqual(giver.calls, 1)
        unsafe expectEqual(audioConverterReset(converter.handle), noErr)
        expectEqual(converter.fill(packets: 10, from: giver).packets, 10)
    }

    @Test("a converter may be disposed of inside its procedure, and is then invalid")
    func disposedInside() {
        let converter = ConverterCalls(from: shorts(), to: floats())
        let giver = BlockGiver([bytes(ramp)], bytesPerPacket: 2)
        giver.onCall = { unsafe expectEqual(audioConverterDispose(converter.handle), noErr) }
        let filled = converter.fill(packets: 1000, from: giver)
        expectEqual(filled.status, noErr)
        expectEqual(samples(Float.self, filled.bytes), scaled)
        expectEqual(converter.fill(packets: 1, from: giver).status, kAudio_ParamError)
    }

    @Test("inside its procedure a converter cannot fill another buffer or be reset")
    func refusesInside() {
        let converter = ConverterCalls(from: shorts(), to: floats())
        let inner = BlockGiver([bytes(ramp)], bytesPerPacket: 2)
        let giver = BlockGiver([bytes(ramp)], bytesPerPacket: 2)
        giver.onCall = {
            expectEqual(
                converter.fill(packets: 1, from: inner).status, kAudioConverterErr_OperationNotSupported)
            unsafe expectEqual(
                audioConverterReset(converter.handle), kAudioConverterErr_OperationNotSupported)
        }
        expectEqual(converter.fill(packets: 1000, from: giver).packets, 1000)
        expectEqual(inner.calls, 0)
    }

    @Test("an output smaller than a frame is refused, without a request")
    func refusesSmallOutput() {
        let converter = ConverterCalls(from: shorts(), to: floats())
        let giver = BlockGiver([bytes(ramp)], bytesPerPacket: 2)
        let filled = converter.fill(packets: 4, bytes: 3, from: giver)
        expectEqual(filled.status, kAudioConverterErr_InvalidOutputSize)
        expectEqual(filled.packets, 0)
        #expect(filled.bytes.isEmpty)
        expectEqual(giver.calls, 0)
    }

    @Test("a stream at twice the rate returns half as many frames")
    func convertsRate() {
        let converter = ConverterCalls(from: floats(rate: 48_000), to: floats(rate: 24_000))
        let giver = BlockGiver([bytes([Float](repeating: 0.5, count: 9600))], bytesPerPacket: 4)
        let filled = converter.fill(packets: 9600, from: giver)
        expectEqual(filled.status, noErr)
        expectEqual(filled.packets, 4800)
        #expect(samples(Float.self, filled.bytes)[1000..<3800].allSatisfy { abs($0 - 0.5) < 0.001 })
    }

    @Test(
        "packets of varying size need descriptions, and have the sizes that these state",
        .enabled(
            if: CodecAvailability.encoder(of: kAudioFormatMPEG4AAC).isAvailable, "no AAC encoder is installed"
        ))
    func encodesPackets() {
        let aac = AudioStreamBasicDescription.encoded(
            kAudioFormatMPEG4AAC, framesPerPacket: 1024, channels: 1, sampleRate: 44_100)
        let sound = bytes((0..<44_100).map { Float($0 % 100) / 200 - 0.25 })
        let converter = ConverterCalls(from: floats(rate: 44_100), to: aac)
        let giver = BlockGiver([sound], bytesPerPacket: 4)
        let refused = converter.fill(packets: 8, bytes: 8192, from: giver)
        expectEqual(refused.status, kAudioConverterErr_RequiresPacketDescriptionsError)
        var packets = 0
        while true {
            let filled = converter.fill(packets: 8, bytes: 8192, isDescribed: true, from: giver)
            expectEqual(filled.status, noErr)
            expectEqual(filled.sizes.reduce(0, +), filled.bytes.count)
            guard filled.status == noErr, filled.packets > 0 else { break }
            packets += filled.packets
        }
        let info = samples(UInt32.self, converter.get(kAudioConverterPrimeInfo).bytes)
        expectEqual(info.count, 2)
        expectEqual(packets * 1024, 44_100 + info.reduce(0) { $0 + Int($1) })
        #expect(!converter.get(kAudioConverterCompressionMagicCookie).bytes.isEmpty)
    }

    @Test("the older function returns bytes, as many as are frames")
    func fillsBytes() {
        let converter = ConverterCalls(from: shorts(), to: floats())
        let giver = BlockGiver([bytes(ramp)], bytesPerPacket: 2)
        var output = [UInt8](repeating: 0, count: 4 * 1000 + 3)
        var size = UInt32(output.count)
        let status = unsafe output.withUnsafeMutableBytes {
            unsafe audioConverterFillBuffer(
                converter.handle, giveBytes, giver.context, &size, $0.baseAddress)
        }
        expectEqual(status, noErr)
        expectEqual(size, 4000)
        expectEqual(samples(Float.self, Array(output.prefix(4000))), scaled)
    }
}

/// A procedure of the older type, whose user data is a ``BlockGiver/context``.
private func giveBytes(
    _ converter: AudioConverterRef, _ bytes: UnsafeMutablePointer<UInt32>,
    _ data: UnsafeMutablePointer<UnsafeMutableRawPointer>, _ context: UnsafeMutableRawPointer?
) -> OSStatus {
    var packets: UInt32 = 0
    var list = unsafe AudioBufferList(
        mNumberBuffers: 1,
        mBuffers: AudioBuffer(mNumberChannels: 1, mDataByteSize: bytes.pointee, mData: data.pointee))
    let status = unsafe giveBlock(converter, &packets, &list, nil, context)
    unsafe bytes.pointee = list.mBuffers.mDataByteSize
    if let given = unsafe list.mBuffers.mData { unsafe data.pointee = given }
    return status
}
