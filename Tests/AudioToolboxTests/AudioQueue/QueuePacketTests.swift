// SPDX-License-Identifier: MIT

import AQCodecs
import AQExpectations
import CAQAudioToolbox
import CoreAudioTypes
import Testing
import AQTestSupport

@testable import AQToolboxFunctions

/// Packets of Apple Lossless, and their decoded audio without a silent sample.
private struct LosslessPackets {
    static let isAvailable = CodecAvailability.encoder(of: kAudioFormatAppleLossless).isAvailable

    let sound: [Int16]
    let format: AudioStreamBasicDescription
    let magicCookie: [UInt8]
    let packets: [[UInt8]]

    init() throws {
        let sound = counting(1...(4 * 4096))
        let lossless = AudioStreamBasicDescription.encoded(
            kAudioFormatAppleLossless, framesPerPacket: 4096, channels: 1, sampleRate: 48_000)
        let converter = ConverterCalls(from: shorts(), to: lossless)
        let giver = BlockGiver([bytes(sound)], bytesPerPacket: 2)
        var packets: [[UInt8]] = []
        while true {
            let filled = converter.fill(packets: 4, bytes: 1 << 16, isDescribed: true, from: giver)
            guard filled.status == noErr else { throw StatusFailure(status: filled.status) }
            guard filled.packets > 0 else { break }
            var rest = filled.bytes[...]
            for size in filled.sizes {
                packets.append(Array(rest.prefix(size)))
                rest = rest.dropFirst(size)
            }
        }
        let formats = samples(
            AudioStreamBasicDescription.self,
            converter.get(kAudioConverterCurrentOutputStreamDescription).bytes)
        self.sound = sound
        self.packets = packets
        format = try #require(formats.first)
        magicCookie = converter.get(kAudioConverterCompressionMagicCookie).bytes
    }
}

/// Packet descriptions, and the cookie of the decoder.
@Suite("Packets of AudioQueue.h") struct QueuePacketTests {
    /// Enqueues packets that are described only in their buffer.
    private func enqueue(_ packets: [[UInt8]], on rig: QueueRig) throws {
        let data = Array(packets.joined())
        var made: AudioQueueBufferRef?
        let allocated = unsafe audioQueueAllocateBufferWithPacketDescriptions(
            rig.queue, UInt32(data.count), UInt32(packets.count), &made)
        guard allocated == noErr, let buffer = unsafe made else { throw StatusFailure(status: allocated) }
        let room = unsafe UnsafeMutableRawBufferPointer(start: buffer.pointee.mAudioData, count: data.count)
        unsafe room.copyBytes(from: data)
        let descriptions = unsafe try #require(unsafe buffer.pointee.mPacketDescriptions)
        var offset = 0
        for (index, packet) in packets.enumerated() {
            unsafe descriptions[index] = AudioStreamPacketDescription(
                mStartOffset: Int64(offset), mVariableFramesInPacket: 0, mDataByteSize: UInt32(packet.count))
            offset += packet.count
        }
        unsafe buffer.pointee.mAudioDataByteSize = UInt32(data.count)
        unsafe buffer.pointee.mPacketDescriptionCount = UInt32(packets.count)
        let enqueued = unsafe audioQueueEnqueueBuffer(rig.queue, buffer, 0, nil)
        guard enqueued == noErr else { throw StatusFailure(status: enqueued) }
    }

    /// Plays packets to their end, and returns the output.
    private func play(_ packets: [[UInt8]], on rig: QueueRig) throws -> [Int16] {
        try enqueue(Array(packets.prefix(3)), on: rig)
        try enqueue(Array(packets.dropFirst(3)), on: rig)
        try rig.start()
        unsafe expectEqual(audioQueueStop(rig.queue, false), noErr)
        // The device may be faster than the decoder.
        return rig.render(limit: 2_000_000) { rig.isRunning == 0 }.filter { $0 != 0 }
    }

    @Test(
        "packets described in their buffer need no separate descriptions",
        .enabled(if: LosslessPackets.isAvailable, "no ALAC encoder is installed"))
    func descriptionsInBuffer() throws {
        let lossless = try LosslessPackets()
        let rig = try QueueRig(format: lossless.format)
        let cookie = lossless.magicCookie
        let status = unsafe audioQueueSetProperty(
            rig.queue, kAudioQueueProperty_MagicCookie, cookie, UInt32(cookie.count))
        expectEqual(status, noErr)
        let played = try play(lossless.packets, on: rig)
        expectEqual(played, lossless.sound)
        #expect(eventually { rig.record.count == 2 })
    }

    @Test("descriptions of linear PCM are ignored, in the buffer and beside it, and everything is played")
    func descriptionsOfPCM() throws {
        let rig = try QueueRig()
        let buffer = try unsafe rig.allocate(bytes: 200)
        unsafe fillBuffer(buffer, frames: 100, from: 1)
        // More than the room.
        unsafe buffer.pointee.mPacketDescriptionCount = 16
        let descriptions = [AudioStreamPacketDescription](
            repeating: AudioStreamPacketDescription(
                mStartOffset: 50, mVariableFramesInPacket: 3, mDataByteSize: 1 << 20), count: 4)
        let status = unsafe audioQueueEnqueueBuffer(rig.queue, buffer, 4, descriptions)
        expectEqual(status, noErr)
        try rig.start()
        expectEqual(rig.render(frames: 100), counting(1...100))
    }

    @Test(
        "a cookie can also be set by the decoder's identifier, and read by the queue's",
        .enabled(if: LosslessPackets.isAvailable, "no ALAC encoder is installed"))
    func decompressionCookie() throws {
        let lossless = try LosslessPackets()
        let rig = try QueueRig(format: lossless.format)
        let property = kAudioConverterDecompressionMagicCookie
        let damaged = Array(lossless.magicCookie.dropLast(5))
        let refused = unsafe audioQueueSetProperty(rig.queue, property, damaged, UInt32(damaged.count))
        expectEqual(refused, kAudioQueueErr_InvalidPropertyValue)
        let cookie = lossless.magicCookie
        let status = unsafe audioQueueSetProperty(rig.queue, property, cookie, UInt32(cookie.count))
        expectEqual(status, noErr)
        var size: UInt32 = 0
        unsafe expectEqual(audioQueueGetPropertySize(rig.queue, property, &size), noErr)
        expectEqual(size, UInt32(cookie.count))
        var read = [UInt8](repeating: 0, count: cookie.count)
        let unread = unsafe audioQueueGetProperty(rig.queue, property, &read, &size)
        expectEqual(unread, kAudioQueueErr_InvalidProperty)
        let asked = unsafe audioQueueGetProperty(rig.queue, kAudioQueueProperty_MagicCookie, &read, &size)
        expectEqual(asked, noErr)
        expectEqual(read, cookie)
        let played = try play(lossless.packets, on: rig)
        expectEqual(played, lossless.sound)
    }
}
