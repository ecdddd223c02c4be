// SPDX-License-Identifier: MIT

@testable import AQCodecs
import AQExpectations
import CoreAudioTypes
import Testing

@Suite("Audio converter, pull contract")
struct AudioConverterContractTests {
    private static let mono = Format.signedInteger(bits: 16, channels: 1, sampleRate: 48000)
    private static let monoFloat = Format.float(channels: 1, sampleRate: 48000)
    private static let ramp = (0..<100).map { Int16($0) }

    private func converter() throws -> AudioConverter {
        try AudioConverter(from: Self.mono, to: .signedInteger(bits: 32, channels: 1, sampleRate: 48000))
    }

    @Test("at the end of the stream a call returns less, then nothing, and makes no further request")
    func end() throws {
        let feed = PacketFeed(integers: Self.ramp, channels: 1)
        let converter = try converter()
        var result = Converted()
        try expectEqual(converter.fillOnce(feed, packets: 60, into: &result).packets, 60)
        let last = try converter.fillOnce(feed, packets: 60, into: &result)
        expectEqual(last, .init(packets: 40, bytes: 160, isEnd: true))
        try expectEqual(converter.fillOnce(feed, packets: 60, into: &result), .init(isEnd: true))
        expectEqual(feed.endsGiven, 1)
        expectEqual(result.bytes.count, 400)
    }

    @Test("zero packets end the stream like its end")
    func zeroPackets() throws {
        let converter = try converter()
        var room = [UInt8](repeating: 0, count: 40)
        let filled = try unsafe room.withUnsafeMutableBytes { room in
            try unsafe converter.fill(room, maximumPackets: 10) { _ in
                unsafe .packets(
                    UnsafeRawBufferPointer(start: nil, count: 0), descriptions: nil, packetCount: 0)
            }
        }
        expectEqual(filled, .init(isEnd: true))
    }

    @Test("if the supply has no data now, the available data is returned and a later call resumes")
    func noDataNow() throws {
        let feed = PacketFeed(
            integers: Self.ramp, channels: 1,
            turns: [.noDataNow, .packets(5), .noDataNow, .noDataNow, .packets(30)])
        let converter = try converter()
        var result = Converted()
        try expectEqual(converter.fillOnce(feed, packets: 50, into: &result), .init(isWaiting: true))
        try expectEqual(
            converter.fillOnce(feed, packets: 50, into: &result),
            .init(packets: 5, bytes: 20, isWaiting: true))
        try expectEqual(converter.fillOnce(feed, packets: 50, into: &result), .init(isWaiting: true))
        try expectEqual(converter.fillOnce(feed, packets: 50, into: &result).packets, 50)
        try expectEqual(converter.convertAll(feed).bytes.count, 45 * 4)
        expectEqual(samples(Int32.self, of: result.bytes).map { Int16($0 >> 16) }, Array(Self.ramp[..<55]))
    }

    @Test("a supply without data loses nothing inside the rate converter and the encoder")
    func noDataNowInside() throws {
        let input = (0..<4000).map { Int16(truncatingIfNeeded: $0 &* 7919) }
        let cd = Format.signedInteger(bits: 16, channels: 1, sampleRate: 44100)
        func run(_ turns: [PacketFeed.Turn]) throws -> Converted {
            try FakeCodec.encoding(from: cd)
                .convertAll(PacketFeed(integers: input, channels: 1, turns: turns), packetsPerCall: 7)
        }
        let whole = try run([.packets(100_000)])
        let pieces = (0..<300).flatMap { _ in [PacketFeed.Turn.packets(17), .noDataNow] } + [.packets(1)]
        let halting = try run(pieces)
        #expect(halting.waits > 100)
        expectEqual(halting.bytes, whole.bytes)
        expectEqual(halting.packetSizes, whole.packetSizes)
    }

    @Test("complete packets are returned although there is no data now for the next")
    func noDataNowBehindPackets() throws {
        let feed = PacketFeed(
            integers: Self.ramp, channels: 1,
            turns: [.packets(25), .noDataNow, .packets(8), .noDataNow, .noDataNow, .packets(1000)])
        let converter = try FakeCodec.encoding()
        var result = Converted()
        // 28 frames including the priming.
        try expectEqual(
            converter.fillOnce(feed, packets: 5, into: &result), .init(packets: 2, bytes: 43, isWaiting: true)
        )
        // As many as requested: the next call finds out whether there are more.
        try expectEqual(
            converter.fillOnce(feed, packets: 1, into: &result),
            .init(packets: 1, bytes: 23, isWaiting: false))
        try expectEqual(converter.fillOnce(feed, packets: 5, into: &result), .init(isWaiting: true))
        let rest = try converter.convertAll(feed)
        let whole = try FakeCodec.encoding().convertAll(PacketFeed(integers: Self.ramp, channels: 1))
        expectEqual(result.packetSizes + rest.packetSizes, whole.packetSizes)
        expectEqual(result.bytes + rest.bytes, whole.bytes)
    }

    @Test("complete packets are returned before the failure that follows them")
    func failureBehindPackets() throws {
        let feed = PacketFeed(
            integers: Self.ramp, channels: 1, turns: [.packets(25), .fails, .packets(1000)])
        let converter = try FakeCodec.encoding()
        var descriptions = [AudioStreamPacketDescription](repeating: AudioStreamPacketDescription(), count: 5)
        func fill(bytes: Int) throws -> AudioConverter.Filled {
            var room = [UInt8](repeating: 0, count: bytes)
            return try unsafe room.withUnsafeMutableBytes { room in
                try unsafe descriptions.withUnsafeMutableBufferPointer { descriptions in
                    try unsafe converter.fill(
                        room, descriptions: descriptions, maximumPackets: 5, supply: feed.supply)
                }
            }
        }
        // One packet of 21 bytes fits, but not the next of 22.
        try expectEqual(fill(bytes: 42), .init(packets: 1, bytes: 21))
        let error = #expect(throws: CodecError.self) { try fill(bytes: 20) }
        expectEqual(error?.code, .outputTooSmall)
        try expectEqual(fill(bytes: 42).packets, 1)
        #expect(throws: PacketFeed.Failure.self) { try fill(bytes: 42) }
        // 103 frames in 11 packets, of which 2 are returned.
        try expectEqual(converter.convertAll(feed).packetSizes.count, 9)
    }

    @Test("a failing supply loses nothing: earlier data is returned, then the error is thrown")
    func failure() throws {
        let feed = PacketFeed(
            integers: Self.ramp, channels: 1, turns: [.packets(5), .fails, .fails, .packets(1000)])
        let converter = try converter()
        var result = Converted()
        try expectEqual(converter.fillOnce(feed, packets: 50, into: &result).packets, 5)
        for _ in 0..<2 {
            #expect(throws: PacketFeed.Failure.self) {
                try converter.fillOnce(feed, packets: 50, into: &result)
            }
        }
        #expect(try converter.fillOnce(feed, packets: 200, into: &result).isEnd)
        expectEqual(samples(Int32.self, of: result.bytes).map { Int16($0 >> 16) }, Self.ramp)
    }

    @Test("requests as many frames as needed, and none before they are needed")
    func requests() throws {
        let feed = PacketFeed(integers: Self.ramp, channels: 1, turns: [.packets(40)])
        let converter = try converter()
        var result = Converted()
        _ = try converter.fillOnce(feed, packets: 30, into: &result)
        expectEqual(feed.requests, [30])
        _ = try converter.fillOnce(feed, packets: 10, into: &result)
        expectEqual(feed.requests, [30])
        _ = try converter.fillOnce(feed, packets: 1, into: &result)
        expectEqual(feed.requests, [30, 1])
        try expectEqual(converter.fillOnce(feed, packets: 0, into: &result), .init())
        expectEqual(feed.requests, [30, 1])
    }

    @Test("reset starts again after the end and in the middle of a packet")
    func reset() throws {
        let converter = try FakeCodec.encoding()
        let first = try converter.convertAll(PacketFeed(integers: Self.ramp, channels: 1))
        try converter.reset()
        var result = Converted()
        _ = try converter.fillOnce(
            PacketFeed(integers: Self.ramp, channels: 1), packets: 3, into: &result)
        try converter.reset()
        let second = try converter.convertAll(PacketFeed(integers: Self.ramp, channels: 1))
        #expect(first.packetSizes.count == 11 && second.packetSizes.count == 11)
        let decoder = try FakeCodec.decoding()
        decoder.inputTrim = FrameTrim(priming: 3, valid: 100)
        for encoded in [first, second] {
            let feed = PacketFeed(encoded.bytes, sizes: encoded.packetSizes, turns: [.packets(1)])
            expectEqual(samples(Int16.self, of: try decoder.convertAll(feed).bytes), Self.ramp)
            try decoder.reset()
        }
    }

    @Test(
        "packets and descriptions survive a round trip in any pieces", arguments: [1, 3, 100], [1, 4, 1000])
    func roundTrip(supplied: Int, asked: Int) throws {
        let input = (0..<995).map { Int16(truncatingIfNeeded: $0 &* 31) }
        let there = try FakeCodec.encoding()
        #expect(there.magicCookie == [1, 2, 3] && there.primingFrames == 3)
        let encoded = try there.convertAll(
            PacketFeed(integers: input, channels: 1, turns: [.packets(supplied)]), packetsPerCall: asked)
        #expect(encoded.packetSizes.count == 100 && there.remainderFrames == 2)
        let back = try FakeCodec.decoding()
        back.inputTrim = FrameTrim(priming: 3, valid: 995)
        let feed = PacketFeed(encoded.bytes, sizes: encoded.packetSizes, turns: [.packets(supplied)])
        let output = try back.convertAll(feed, packetsPerCall: asked)
        expectEqual(samples(Int16.self, of: output.bytes), input)
    }

    @Test("an output that is too small for the next packet keeps it for the next call")
    func tinyOutput() throws {
        let converter = try FakeCodec.encoding()
        let feed = PacketFeed(integers: Self.ramp, channels: 1)
        var sizes: [Int] = []
        var descriptions = [AudioStreamPacketDescription](repeating: AudioStreamPacketDescription(), count: 9)
        var isEnd = false
        while !isEnd {
            // One packet of 21 bytes fits, but not the next of 22.
            var room = [UInt8](repeating: 0, count: 42)
            let filled = try unsafe room.withUnsafeMutableBytes { room in
                try unsafe descriptions.withUnsafeMutableBufferPointer { descriptions in
                    try unsafe converter.fill(
                        room, descriptions: descriptions, maximumPackets: 9, supply: feed.supply)
                }
            }
            sizes += descriptions.prefix(filled.packets).map { Int($0.mDataByteSize) }
            isEnd = filled.isEnd
        }
        expectEqual(sizes, [21, 22, 23, 21, 22, 23, 21, 22, 23, 21, 22])
        try converter.reset()
        let none = PacketFeed(integers: Self.ramp, channels: 1)
        var room = [UInt8](repeating: 0, count: 5)
        let error = #expect(throws: CodecError.self) {
            try unsafe room.withUnsafeMutableBytes { room in
                try unsafe descriptions.withUnsafeMutableBufferPointer { descriptions in
                    _ = try unsafe converter.fill(
                        room, descriptions: descriptions, maximumPackets: 1, supply: none.supply)
                }
            }
        }
        expectEqual(error?.code, .outputTooSmall)
    }

    @Test("an output smaller than a frame is refused before any request")
    func noRoom() throws {
        let feed = PacketFeed(integers: Self.ramp, channels: 1)
        let converter = try converter()
        var room = [UInt8](repeating: 0, count: 3)
        let error = #expect(throws: CodecError.self) {
            try unsafe room.withUnsafeMutableBytes { room in
                _ = try unsafe converter.fill(room, maximumPackets: 1, supply: feed.supply)
            }
        }
        expectEqual(error?.code, .outputTooSmall)
        #expect(feed.requests.isEmpty)
    }

    @Test("packets of varying size need descriptions, as input and as output")
    func descriptions() throws {
        let encoded = try FakeCodec.encoding().convertAll(PacketFeed(integers: Self.ramp, channels: 1))
        let decoder = try FakeCodec.decoding()
        let feed = PacketFeed(encoded.bytes, sizes: encoded.packetSizes, isDescribed: false, turns: [])
        let coming = #expect(throws: CodecError.self) { try decoder.convertAll(feed) }
        #expect(coming?.code == .missingPacketDescriptions && coming?.status == 0x2170_6B64)
        let encoder = try FakeCodec.encoding()
        var room = [UInt8](repeating: 0, count: 100)
        let going = #expect(throws: CodecError.self) {
            try unsafe room.withUnsafeMutableBytes { room in
                _ = try unsafe encoder.fill(
                    room, maximumPackets: 1, supply: PacketFeed(integers: [1], channels: 1, turns: []).supply)
            }
        }
        expectEqual(going?.code, .missingPacketDescriptions)
    }

    @Test(
        "descriptions that exceed the memory are refused",
        arguments: [(-1, 4), (.min, 4), (.max, 4), (0, 22), (21, 1), (20, .max)] as [(Int64, UInt32)])
    func hostileDescriptions(offset: Int64, size: UInt32) throws {
        let converter = try FakeCodec.decoding()
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 21, alignment: 1)
        let descriptions = UnsafeMutableBufferPointer<AudioStreamPacketDescription>.allocate(capacity: 1)
        defer {
            unsafe memory.deallocate()
            unsafe descriptions.deallocate()
        }
        unsafe descriptions.initialize(
            repeating: AudioStreamPacketDescription(
                mStartOffset: offset, mVariableFramesInPacket: 0, mDataByteSize: size))
        var room = [UInt8](repeating: 0, count: 100)
        let error = #expect(throws: CodecError.self) {
            try unsafe room.withUnsafeMutableBytes { room in
                _ = try unsafe converter.fill(room, maximumPackets: 10) { _ in
                    unsafe .packets(
                        UnsafeRawBufferPointer(memory), descriptions: UnsafeBufferPointer(descriptions),
                        packetCount: 1)
                }
            }
        }
        expectEqual(error?.code, .invalidInputSize)
    }

    @Test("more packets than the memory holds are refused", arguments: [26, Int.max])
    func hostileCount(packets: Int) throws {
        let converter = try converter()
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 51, alignment: 1)
        defer { unsafe memory.deallocate() }
        var room = [UInt8](repeating: 0, count: 100)
        let error = #expect(throws: CodecError.self) {
            try unsafe room.withUnsafeMutableBytes { room in
                _ = try unsafe converter.fill(room, maximumPackets: 10) { _ in
                    unsafe .packets(
                        UnsafeRawBufferPointer(memory), descriptions: nil, packetCount: packets)
                }
            }
        }
        expectEqual(error?.code, .invalidInputSize)
    }

    @Test("a failing codec returns the earlier frames, then its error", arguments: [0, 4])
    func codecFails(packet: Int) throws {
        let encoded = try FakeCodec.encoding().convertAll(PacketFeed(integers: Self.ramp, channels: 1))
        let fake = FakeDecoder()
        fake.failsAtPacket = packet
        let decoder = try FakeCodec.decoding(fake)
        let feed = PacketFeed(encoded.bytes, sizes: encoded.packetSizes, turns: [.packets(100)])
        var result = Converted()
        if packet > 0 {
            try expectEqual(decoder.fillOnce(feed, packets: 500, into: &result).packets, packet * 10)
        }
        for _ in 0..<2 {
            let error = #expect(throws: CodecError.self) {
                try decoder.fillOnce(feed, packets: 500, into: &result)
            }
            expectEqual(error?.code, .decoderFailed)
        }
        let failing = FakeEncoder()
        failing.failsAtPacket = packet
        let encoder = try FakeCodec.encoding(failing)
        let pcm = PacketFeed(integers: Self.ramp, channels: 1)
        if packet > 0 {
            try expectEqual(encoder.fillOnce(pcm, packets: 500, into: &result).packets, packet)
        }
        let error = #expect(throws: CodecError.self) {
            try encoder.fillOnce(pcm, packets: 500, into: &result)
        }
        expectEqual(error?.code, .encoderFailed)
    }

    @Test("a trim drops priming frames and makes no request after the last valid frame")
    func trim() throws {
        for (priming, valid) in [
            (0, 0), (0, 10), (13, 50), (99, 1), (200, 5), (10, 500), (1, .max), (.max, .max),
        ] as [(Int64, Int64)] {
            let feed = PacketFeed(integers: Self.ramp, channels: 1, turns: [.packets(9)])
            let converter = try converter()
            converter.inputTrim = FrameTrim(priming: priming, valid: valid)
            let output = samples(Int32.self, of: try converter.convertAll(feed).bytes).map { Int16($0 >> 16) }
            expectEqual(
                output, Array(Self.ramp.dropFirst(Int(clamping: priming)).prefix(Int(clamping: valid))))
            let isWhole = priming <= 100 && valid <= 100 - priming
            expectEqual(feed.endsGiven, (isWhole ? 0 : 1))
        }
    }
}
