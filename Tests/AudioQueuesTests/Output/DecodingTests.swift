// SPDX-License-Identifier: MIT

import AQCodecs
import AQDevices
import AQExpectations
import AQFiles
import CoreAudioTypes
import Glibc
import Synchronization
import Testing
import AQTestSupport

@testable import AudioQueues

/// Packets in memory, and their expected decoded audio.
struct PacketSource: Sendable {
    let format: AudioStreamBasicDescription
    var packets: [[UInt8]] = []

    func decoded() throws -> [UInt8] {
        let decoder = try makePacketDecoder(for: format)
        let frameBytes = Int(decoder.outputFormat.mBytesPerFrame)
        var all: [UInt8] = []
        for packet in packets {
            var room = [UInt8](repeating: 0, count: decoder.maximumFramesPerPacket * frameBytes)
            let frames = try unsafe packet.withUnsafeBytes { input in
                try unsafe room.withUnsafeMutableBytes { try unsafe decoder.decode(input, into: $0) }
            }
            all += room.prefix(frames * frameBytes)
        }
        return all
    }

    /// Enqueues packets with descriptions in the buffer, or without any if they have one size.
    func enqueue(
        _ range: Range<Int>, on queue: OutputQueue, trimStart: Int = 0, trimEnd: Int = 0
    ) throws {
        let bytes = packets[range].reduce(0) { $0 + $1.count }
        let hasDescriptions = !format.hasConstantPacketSize
        let buffer = try queue.allocateBuffer(
            byteCapacity: bytes, packetDescriptionCapacity: hasDescriptions ? range.count : 0)
        var offset = 0
        for (index, packet) in packets[range].enumerated() {
            for byte in packet.indices { unsafe buffer.bytes[offset + byte] = packet[byte] }
            if hasDescriptions {
                unsafe buffer.packetDescriptions[index] = AudioStreamPacketDescription(
                    mStartOffset: Int64(offset), mVariableFramesInPacket: 0,
                    mDataByteSize: UInt32(packet.count))
            }
            offset += packet.count
        }
        buffer.byteCount = bytes
        if hasDescriptions { buffer.packetDescriptionCount = range.count }
        try queue.enqueue(buffer, trimFramesAtStart: trimStart, trimFramesAtEnd: trimEnd)
    }
}

extension Rig {
    /// Renders a stopping queue, no faster than it decodes.
    func renderDecoded(frameBytes: Int, frames: Int, after before: Int = 0) -> [UInt8] {
        var played: [UInt8] = []
        while played.count < frames * frameBytes {
            // Rendering faster than decoding would be an underrun.
            let wanted = min(256, frames - played.count / frameBytes)
            let isReady = eventually {
                queue.core.monitor.withLock { state in
                    (state.path.decoded?.totalFrames ?? 0) - before >= played.count / frameBytes + wanted
                }
            }
            guard isReady else { break }
            let block = device.render(frames: wanted).first ?? []
            played += block
            if block.isEmpty { break }
        }
        return played
    }
}

/// The first difference of two byte arrays; nil if there is none. Shorter than an expectation's message.
func difference(_ played: some Collection<UInt8>, _ expected: some Collection<UInt8>) -> String? {
    for (index, pair) in zip(played, expected).enumerated() where pair.0 != pair.1 {
        return "byte \(index) is \(pair.0), not \(pair.1)"
    }
    return played.count == expected.count ? nil : "\(played.count) bytes, not \(expected.count)"
}

/// Decodes to silence, then not at all.
final class FailingDecoder: PacketDecoder {
    let inputFormat: AudioStreamBasicDescription
    let outputFormat: AudioStreamBasicDescription
    let maximumFramesPerPacket = 1
    let damagedPackets = 0
    private var goodCalls: Int

    init(inputFormat: AudioStreamBasicDescription, goodCalls: Int) {
        self.inputFormat = inputFormat
        self.goodCalls = goodCalls
        outputFormat = .signedInteger(bits: 16, channels: 1, sampleRate: inputFormat.mSampleRate)
    }

    func decode(
        _ packet: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CodecError) -> Int {
        goodCalls -= 1
        guard goodCalls >= 0 else { throw CodecError(.decoderFailed, "cannot decode: broken") }
        unsafe output.initializeMemory(as: UInt8.self, repeating: 0)
        return packet.count
    }

    func reset() {}
}

extension AllTests {
    @Suite("Decoding ahead") struct DecodingTests {
        static func source(_ format: AudioStreamBasicDescription, packets: Int) -> PacketSource {
            var source = PacketSource(format: format)
            var seed: UInt32 = 1
            for _ in 0..<packets {
                source.packets.append(
                    (0..<Int(format.mBytesPerPacket)).map { _ in
                        seed = seed &* 1_664_525 &+ 1_013_904_223
                        return UInt8(seed >> 24)
                    })
            }
            return source
        }

        @Test("formats that the device does not support are decoded, to the frame")
        func constantPackets() throws {
            let formats: [AudioStreamBasicDescription] = [
                .encoded(
                    kAudioFormatULaw, bytesPerPacket: 2, framesPerPacket: 1, channels: 2, sampleRate: 8000),
                .encoded(
                    kAudioFormatALaw, bytesPerPacket: 1, framesPerPacket: 1, channels: 1, sampleRate: 8000),
                .signedInteger(bits: 8, channels: 1, sampleRate: 44100),
                .signedInteger(bits: 24, containerBytes: 4, channels: 2, sampleRate: 44100),
                .unsignedInteger(bits: 16, isBigEndian: true, channels: 2, sampleRate: 44100),
            ]
            for format in formats {
                let source = Self.source(format, packets: 5000)
                let rig = try Rig(format: format)
                // Trims at both ends of both buffers; many packets each.
                try source.enqueue(0..<3000, on: rig.queue, trimStart: 100, trimEnd: 2)
                try source.enqueue(3000..<5000, on: rig.queue, trimStart: 1, trimEnd: 500)
                try rig.startAndWait()
                try rig.queue.stop(immediate: false)
                let frameBytes = rig.queue.core.deviceFormat.bytesPerFrame
                let decoded = try source.decoded()
                let expected =
                    decoded[100 * frameBytes..<2998 * frameBytes]
                    + decoded[3001 * frameBytes..<4500 * frameBytes]
                let played = rig.renderDecoded(frameBytes: frameBytes, frames: 2898 + 1499)
                expectEqual(difference(played, expected), nil, "\(format.summary)")
                #expect(eventually { !rig.queue.isRunning })
                // The queue has ended after the last frame; its callbacks follow.
                #expect(eventually { rig.log.count == 2 })
                expectEqual(rig.queue.underrunCount, 0)
            }
        }

        @Test("many small buffers fill the decoded reserve")
        func tinyBuffers() throws {
            let source = Self.source(
                .encoded(
                    kAudioFormatULaw, bytesPerPacket: 1, framesPerPacket: 1, channels: 1, sampleRate: 8000),
                packets: 3000)
            let rig = try Rig(format: source.format)
            for index in 0..<1000 { try source.enqueue(index * 3..<index * 3 + 3, on: rig.queue) }
            #expect(try rig.queue.prime(frames: 1500) >= 1500)
            try rig.startAndWait()
            try rig.queue.stop(immediate: false)
            let played = rig.renderDecoded(frameBytes: 2, frames: 3000)
            expectEqual(difference(played, try source.decoded()), nil)
            #expect(eventually { rig.log.count == 1000 })
        }

        @Test("the decoded reserve is limited, however much is enqueued")
        func bounded() throws {
            let source = Self.source(
                .encoded(
                    kAudioFormatULaw, bytesPerPacket: 1, framesPerPacket: 1, channels: 1, sampleRate: 8000),
                packets: 20000)
            let rig = try Rig(format: source.format, decodeAheadSeconds: 0.1)
            try source.enqueue(0..<10000, on: rig.queue)
            try source.enqueue(10000..<20000, on: rig.queue)
            #expect(try rig.queue.prime() <= 960)
            try rig.startAndWait()
            func decoded<Value>(_ value: (DecodedAudio) -> Value) throws -> Value {
                try value(#require(rig.queue.core.monitor.withLock { $0.path.decoded }))
            }
            // Only as much is decoded as is played.
            let framesBefore = try decoded { $0.totalFrames }
            rig.render(400)
            #expect(try eventually { try decoded { $0.totalFrames > framesBefore && $0.isFull } })
            #expect(try decoded { $0.framesAhead } <= 960)
            expectEqual(rig.log.count, 0)
        }

        @Test("reset drops decoded audio, and decodes again")
        func reset() throws {
            let source = Self.source(
                .encoded(
                    kAudioFormatULaw, bytesPerPacket: 1, framesPerPacket: 1, channels: 1, sampleRate: 8000),
                packets: 4000)
            let decoded = try source.decoded()
            for round in 0..<20 {
                let rig = try Rig(format: source.format)
                try source.enqueue(0..<3000, on: rig.queue)
                try rig.startAndWait()
                rig.device.render(frames: round * 5)
                try rig.queue.reset()
                expectEqual(rig.log.count, 1)
                let before = rig.queue.core.monitor.withLock { $0.path.decoded?.totalFrames ?? 0 }
                try source.enqueue(3000..<4000, on: rig.queue)
                try rig.queue.stop(immediate: false)
                let played = rig.renderDecoded(frameBytes: 2, frames: 1000, after: before)
                expectEqual(difference(played, decoded[6000..<8000]), nil, "round \(round)")
            }
        }

        @Test("a magic cookie is kept, and can be set only while nothing plays")
        func magicCookie() throws {
            let rig = try Rig(
                format: .encoded(
                    kAudioFormatULaw, bytesPerPacket: 1, framesPerPacket: 1, channels: 1, sampleRate: 8000))
            try rig.queue.setMagicCookie([1, 2, 3])
            expectEqual(rig.queue.magicCookie, [1, 2, 3])
            try rig.startAndWait()
            #expect(throws: QueueError(.invalidRunState)) { try rig.queue.setMagicCookie([4]) }
        }

        @Test("a decoder that fails stops the queue, returns the buffers, and reports the reason")
        func decoderFails() throws {
            let format = AudioStreamBasicDescription.encoded(
                kAudioFormatULaw, bytesPerPacket: 1, framesPerPacket: 1, channels: 1, sampleRate: 8000)
            let source = Self.source(format, packets: 1000)
            let log = CallLog()
            let cookies = Seen<[UInt8]>()
            let device = ManualDevice()
            let queue = OutputQueue(
                core: try OutputCore(
                    format: format, channelLabels: nil, device: device, configuration: .init(),
                    context: CallbackThread(),
                    makeDecoder: { format, cookie throws(CodecError) in
                        cookies.add(cookie)
                        return FailingDecoder(inputFormat: format, goodCalls: 2)
                    }, onBufferDone: { _, buffer in log.add(buffer) }))
            try queue.setMagicCookie([7])
            expectEqual(cookies.all, [[], [7]])
            let changes = Seen<OutputQueue.Property>()
            for property in OutputQueue.Property.allCases {
                try queue.addListener(for: property) { _ in changes.add(property) }
            }
            for index in 0..<5 { try source.enqueue(index * 200..<index * 200 + 200, on: queue) }
            try queue.start()
            #expect(eventually { changes.all.contains(.failure) })
            expectEqual(queue.failure, QueueError(.codecNotFound, "cannot decode: broken"))
            expectEqual(queue.converterError, queue.failure)
            expectEqual(log.count, 5)
            #expect(!queue.isRunning)
            #expect(throws: QueueError.self) {
                try source.enqueue(0..<200, on: queue)
                try queue.prime()
            }
        }

        #if HAVE_MPEG_AUDIO
        static func tune() throws -> PacketSource {
            var folder = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
            folder = "/\(folder)/Fixtures/tune-cbr.mp3"
            let file = try AudioFile.open(path: folder)
            var source = PacketSource(format: file.format)
            var bytes = [UInt8](repeating: 0, count: max(file.packetSizeUpperBound, 1))
            var descriptions = [AudioStreamPacketDescription](
                repeating: AudioStreamPacketDescription(), count: 1)
            while true {
                let read = try unsafe bytes.withUnsafeMutableBytes { data in
                    try unsafe descriptions.withUnsafeMutableBufferPointer {
                        try unsafe file.readPackets(
                            from: Int64(source.packets.count), into: data, descriptions: $0)
                    }
                }
                guard read.packets == 1 else { return source }
                let start = Int(descriptions[0].mStartOffset)
                source.packets.append(Array(bytes[start..<start + Int(descriptions[0].mDataByteSize)]))
            }
        }

        @Test("MPEG audio is played as its decoder decodes it, with trims across packets")
        func mpegAudio() throws {
            let source = try Self.tune()
            #expect(source.packets.count > 30)
            let decoded = try source.decoded()
            let rig = try Rig(format: source.format)
            let frameBytes = rig.queue.core.deviceFormat.bytesPerFrame
            let last = source.packets.count
            // One packet in the first buffer, which its trim removes completely; then 2, 3, 4 …
            var start = 0
            var run = 1
            while start < last {
                let end = min(start + run, last)
                try source.enqueue(
                    start..<end, on: rig.queue, trimStart: start == 0 ? 1105 + 47 : start == 1 ? 1500 : 0,
                    trimEnd: end == last ? 700 : 0)
                start = end
                run += 1
            }
            try rig.startAndWait()
            try rig.queue.stop(immediate: false)
            let total = decoded.count / frameBytes
            let expected = Array(decoded[(1152 + 1500) * frameBytes..<(total - 700) * frameBytes])
            let played = rig.renderDecoded(frameBytes: frameBytes, frames: expected.count / frameBytes)
            expectEqual(difference(played, expected), nil)
            #expect(eventually { !rig.queue.isRunning })
            expectEqual(rig.queue.underrunCount, 0)
            expectEqual(rig.queue.damagedPacketCount, 0)
        }

        @Test("a flush between two sequences decodes the second independently")
        func flushBetween() throws {
            let source = try Self.tune()
            let short = PacketSource(format: source.format, packets: Array(source.packets.prefix(12)))
            let decoded = try short.decoded()
            for isFlushed in [true, false] {
                let rig = try Rig(format: source.format)
                let frameBytes = rig.queue.core.deviceFormat.bytesPerFrame
                for _ in 0..<2 {
                    try short.enqueue(0..<12, on: rig.queue)
                    if isFlushed { try rig.queue.flush() }
                }
                try rig.startAndWait()
                try rig.queue.stop(immediate: false)
                let played = rig.renderDecoded(frameBytes: frameBytes, frames: 2 * decoded.count / frameBytes)
                expectEqual(difference(played.prefix(decoded.count), decoded), nil)
                #expect((difference(played.suffix(decoded.count), decoded) == nil) == isFlushed)
            }
        }

        @Test("a damaged packet is silent and counted, and playback continues")
        func damage() throws {
            var source = try Self.tune()
            source.packets[20] = [UInt8](repeating: 0x55, count: source.packets[20].count)
            let rig = try Rig(format: source.format)
            let frameBytes = rig.queue.core.deviceFormat.bytesPerFrame
            try source.enqueue(0..<source.packets.count, on: rig.queue)
            try rig.startAndWait()
            try rig.queue.stop(immediate: false)
            let expected = try source.decoded()
            let played = rig.renderDecoded(frameBytes: frameBytes, frames: expected.count / frameBytes)
            expectEqual(difference(played, expected), nil)
            #expect(rig.queue.damagedPacketCount >= 1)
            expectEqual(rig.queue.failure, nil)
        }
        #endif
    }
}
