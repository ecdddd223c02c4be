// SPDX-License-Identifier: MIT

import AQCodecs
import CoreAudioTypes

typealias Format = AudioStreamBasicDescription

/// A supply of packets from its own memory, which is overwritten at the next request.
@safe final class PacketFeed {
    enum Turn {
        case packets(Int)
        case noDataNow
        case fails
    }

    struct Failure: Error {}

    private let bytes: [UInt8]
    private let sizes: [Int]
    private let isDescribed: Bool
    private var next = 0
    private var offset = 0
    /// The answers in order, the last one repeatedly; the stream ends after all packets.
    private var turns: [Turn]
    private var memory: UnsafeMutableRawBufferPointer
    private var descriptions: UnsafeMutableBufferPointer<AudioStreamPacketDescription>
    private(set) var requests: [Int] = []
    private(set) var endsGiven = 0

    convenience init(_ bytes: [UInt8], bytesPerPacket: Int, turns: [Turn]) {
        self.init(
            bytes, sizes: Array(repeating: bytesPerPacket, count: bytes.count / bytesPerPacket),
            isDescribed: false, turns: turns)
    }

    init(_ bytes: [UInt8], sizes: [Int], isDescribed: Bool = true, turns: [Turn]) {
        self.bytes = bytes
        self.sizes = sizes
        self.isDescribed = isDescribed
        self.turns = turns
        unsafe memory = .allocate(byteCount: 1, alignment: 1)
        unsafe descriptions = .allocate(capacity: 1)
    }

    deinit {
        unsafe memory.deallocate()
        unsafe descriptions.deallocate()
    }

    func supply(_ wanted: Int) throws -> AudioConverter.Supply {
        requests.append(wanted)
        for index in unsafe memory.indices { unsafe memory[index] = 0xEE }
        let turn = turns.count > 1 ? turns.removeFirst() : turns.first ?? .packets(wanted)
        switch turn {
        case .noDataNow: return unsafe .noDataNow
        case .fails: throw Failure()
        case .packets(let limit):
            let count = min(limit, sizes.count - next)
            guard count > 0 else {
                endsGiven += 1
                return unsafe .endOfStream
            }
            return unsafe packets(count)
        }
    }

    private func packets(_ count: Int) -> AudioConverter.Supply {
        let sizes = sizes[next..<next + count]
        let total = sizes.reduce(0, +)
        unsafe memory.deallocate()
        unsafe descriptions.deallocate()
        // One byte further than memory is aligned.
        unsafe memory = .allocate(byteCount: total + 1, alignment: 16)
        unsafe descriptions = .allocate(capacity: count)
        let room = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[1...])
        unsafe room.copyBytes(from: bytes[offset..<offset + total])
        var start = 0
        for (index, size) in sizes.enumerated() {
            unsafe descriptions[index] = AudioStreamPacketDescription(
                mStartOffset: Int64(start), mVariableFramesInPacket: 0, mDataByteSize: UInt32(size))
            start += size
        }
        next += count
        offset += total
        return unsafe .packets(
            UnsafeRawBufferPointer(room),
            descriptions: isDescribed ? UnsafeBufferPointer(descriptions) : nil, packetCount: count)
    }
}

/// The output of a converter.
struct Converted {
    var bytes: [UInt8] = []
    var packetSizes: [Int] = []
    var calls = 0
    var waits = 0
}

extension AudioConverter {
    /// Pulls `packets` packets at a time until the end.
    func convertAll(_ feed: PacketFeed, packetsPerCall: Int = 1000) throws -> Converted {
        var result = Converted()
        while true {
            let filled = try fillOnce(feed, packets: packetsPerCall, into: &result)
            if filled.isWaiting { result.waits += 1 }
            if filled.isEnd { return result }
        }
    }

    @discardableResult
    func fillOnce(_ feed: PacketFeed, packets: Int, into result: inout Converted) throws -> Filled {
        var room = [UInt8](repeating: 0xAA, count: packets * maximumOutputPacketSize + 1)
        var descriptions = [AudioStreamPacketDescription](
            repeating: AudioStreamPacketDescription(
                mStartOffset: -1, mVariableFramesInPacket: 0, mDataByteSize: 0), count: packets)
        let filled = try unsafe room.withUnsafeMutableBytes { room in
            try unsafe descriptions.withUnsafeMutableBufferPointer { descriptions in
                try unsafe fill(
                    UnsafeMutableRawBufferPointer(rebasing: room[1...]), descriptions: descriptions,
                    maximumPackets: packets, supply: feed.supply)
            }
        }
        result.calls += 1
        for description in descriptions.prefix(filled.packets) {
            let start = Int(description.mStartOffset) + 1
            result.bytes += room[start..<start + Int(description.mDataByteSize)]
            result.packetSizes.append(Int(description.mDataByteSize))
        }
        return filled
    }
}

extension PacketFeed {
    convenience init(floats: [Float], channels: Int, turns: [Turn] = [.packets(1000)]) {
        self.init(rawBytes(of: floats), bytesPerPacket: 4 * channels, turns: turns)
    }

    convenience init(integers: [Int16], channels: Int, turns: [Turn] = [.packets(1000)]) {
        self.init(rawBytes(of: integers), bytesPerPacket: 2 * channels, turns: turns)
    }
}

func rawBytes<Sample: BitwiseCopyable>(of samples: [Sample]) -> [UInt8] {
    unsafe samples.withUnsafeBytes { unsafe Array($0) }
}

func samples<Sample: BitwiseCopyable>(_: Sample.Type, of bytes: [UInt8]) -> [Sample] {
    unsafe bytes.withUnsafeBytes { bytes in
        let size = MemoryLayout<Sample>.size
        return (0..<bytes.count / size).map {
            unsafe bytes.loadUnaligned(fromByteOffset: $0 * size, as: Sample.self)
        }
    }
}
