// SPDX-License-Identifier: MIT

import AQFiles
import CoreAudioTypes
import AQMagicCookies
import Synchronization
import AQTestSupport
import Testing

@testable import AQNetworkInput

/// An input with short times, and its notices.
final class TestInput: Sendable {
    let input: NetworkInput
    private let received: Received

    private final class Received: Sendable {
        let notices = Mutex<[String]>([])
    }

    init(_ address: String, reconnectSeconds: Double = 5, bufferSeconds: Double = 0) throws {
        let received = Received()
        var options = NetworkInput.Options(userAgent: "test/1")
        options.reconnectSeconds = reconnectSeconds
        options.bufferSeconds = bufferSeconds
        options.silentSeconds = 1
        options.notice = { notice in received.notices.withLock { $0.append(notice) } }
        self.received = received
        input = NetworkInput(try #require(RemoteAddress(address)), options: options)
    }

    var notices: [String] { received.notices.withLock { $0 } }

    /// The message of the error with which opening fails.
    func openingFailure() -> String? {
        do throws(AudioFileError) {
            _ = try input.open()
            return nil
        } catch { return error.message }
    }
}

extension AudioFile {
    /// The bytes of all packets from one on, up to a number of bytes.
    func packets(from first: Int64 = 0, bytes limit: Int = .max) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var packet = first
        var room = [UInt8](repeating: 0, count: max(packetSizeUpperBound, 16_384))
        var places = [AudioStreamPacketDescription](repeating: .init(), count: 64)
        while bytes.count < limit {
            let read = try unsafe room.withUnsafeMutableBytes { room in
                try unsafe places.withUnsafeMutableBufferPointer { places in
                    try unsafe readPackets(from: packet, into: room, descriptions: places)
                }
            }
            guard read.packets > 0 else { break }
            packet += Int64(read.packets)
            bytes += room[..<read.bytes]
        }
        return bytes
    }
}

/// Audio as servers send it.
enum TestAudio {
    /// The samples of a WAVE file: noise.
    static func samples(_ count: Int, seed: UInt64 = 1) -> [Int16] {
        var noise = SplitMix(seed)
        return (0..<count).map { _ in Int16(truncatingIfNeeded: noise.next()) }
    }

    static func bytes(_ samples: [Int16]) -> [UInt8] {
        samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    }

    /// The body of a packet of AAC, different for each number. Its bytes are none of a header.
    static func packet(_ number: Int) -> [UInt8] {
        [0x21] + (1..<100).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ number) & 0x7F }
    }

    static func packets(_ numbers: Range<Int>) -> [UInt8] { numbers.flatMap(packet) }

    /// Packets in an ADTS stream.
    static func adts(_ numbers: Range<Int>, rate: Int = 44_100) throws -> [UInt8] {
        let config = try AudioSpecificConfig(sampleRate: rate, channels: 2)
        return try numbers.flatMap { number in
            let body = packet(number)
            return try ADTSHeader.bytes(for: config, packetBytes: body.count) + body
        }
    }
}
