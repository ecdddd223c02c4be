// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import Foundation
import Synchronization
import AQTestSupport
import AQTestTraits
import Testing

@testable import AQNetworkInput

/// Radio stations, as SHOUTcast and Icecast send them.
@Suite("Broadcasts", .waiting)
struct BroadcastTests {
    /// The head of a station's response.
    private static func head(_ fields: String = "", status: String = "HTTP/1.0 200 OK") -> String {
        "\(status)\r\nContent-Type: audio/aac\r\nicy-name: Test station\r\nicy-genre: Noise\r\nicy-br: 96\r\n"
            + fields + "\r\n"
    }

    /// A block of metadata with its length.
    private static func metadata(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        let blocks = (bytes.count + 15) / 16
        return [UInt8(blocks)] + bytes + [UInt8](repeating: 0, count: blocks * 16 - bytes.count)
    }

    /// A stream with metadata after each `interval` bytes of audio.
    private static func interleaved(_ audio: [UInt8], every interval: Int, _ titles: [Int: String]) -> [UInt8]
    {
        stride(from: 0, to: audio.count, by: interval).enumerated().flatMap { index, start in
            let part = Array(audio[start..<min(start + interval, audio.count)])
            guard part.count == interval else { return part }
            return part + (titles[index].map { metadata("StreamTitle='\($0)';") } ?? [0])
        }
    }

    @Test("have their name, and titles that begin with their audio")
    func titles() throws {
        let audio = try TestAudio.adts(0..<400)
        let body = Self.interleaved(audio, every: 4096, [0: "First", 4: "L'été'; d'Ayer"])
        let server = try HTTPTestServer { request, connection in
            connection.send(Self.head("icy-metaint: 4096\r\n"))
            connection.send(body)
            _ = eventually { connection.isClosed }
        }
        defer { server.stop() }
        let input = try TestInput(server.address("/"))
        let file = try input.input.open()
        expectEqual(server.requests.first?.fields["icy-metadata"], "1")
        expectEqual(server.requests.first?.fields["user-agent"], "test/1")
        #expect(server.requests.first?.range == nil)
        expectEqual(input.input.station?.name, "Test station")
        expectEqual(input.input.station?.genre, "Noise")
        expectEqual(input.input.station?.bitRate, 96_000)
        let early = try file.packets(bytes: 8000)
        expectEqual(input.input.title, "First")
        let all = try early + file.packets(from: Int64(early.count / 100), bytes: 30_000)
        expectEqual(input.input.title, "L'été")
        expectEqual(all, Array(TestAudio.packets(0..<400).prefix(all.count)))
    }

    @Test("of servers that answer 'ICY 200 OK' are read")
    func icyStatus() throws {
        let audio = try TestAudio.adts(0..<100)
        let server = try HTTPTestServer { _, connection in
            connection.send(Self.head(status: "ICY 200 OK"))
            connection.send(audio)
            _ = eventually { connection.isClosed }
        }
        defer { server.stop() }
        let input = try TestInput(server.address("/"))
        #expect(try input.input.open().packets(bytes: 5000).starts(with: TestAudio.packets(0..<50)))
        expectEqual(input.input.station?.isBroadcast, true)
    }

    @Test("go on after the connection is lost, as another file of the same input")
    func reconnect() throws {
        let first = try TestAudio.adts(0..<200)
        let second = try TestAudio.adts(200..<400)
        let count = Mutex(0)
        let server = try HTTPTestServer { _, connection in
            let number = count.withLock { count in
                count += 1
                return count
            }
            connection.send(Self.head())
            connection.send(number == 1 ? first : second)
            if number > 1 { _ = eventually(within: 20) { connection.isClosed } }
            connection.close()
        }
        defer { server.stop() }
        let input = try TestInput(server.address("/"))
        let file = try input.input.open()
        try expectEqual(file.packets(), TestAudio.packets(0..<200))
        let next = try #require(try input.input.openNext())
        let after = try next.packets(bytes: 10_000)
        expectEqual(after, Array(TestAudio.packets(200..<400).prefix(after.count)))
        expectEqual(input.notices, ["the broadcast has ended; connecting again"])
    }

    @Test("go on within two seconds of their server's return")
    func serverReturns() throws {
        let audio = try TestAudio.adts(0..<200)
        let answer: HTTPTestServer.Answer = { _, connection in
            connection.send(Self.head())
            connection.send(audio)
            _ = eventually(within: 20) { connection.isClosed }
        }
        let first = try HTTPTestServer(answer: answer)
        let input = try TestInput(first.address("/"), reconnectSeconds: 30)
        let file = try input.input.open()
        let before = try file.packets(bytes: 10_000).count / 100
        first.stop()
        leaveAsIs(seconds: 2.5)
        let returned = HostClock.now
        let second = try HTTPTestServer(port: first.port, answer: answer)
        defer { second.stop() }
        _ = try file.packets(from: Int64(before))
        let next = try #require(try input.input.openNext())
        #expect(try !next.packets(bytes: 100).isEmpty)
        #expect(HostClock.seconds(from: returned, to: HostClock.now) < 2)
    }

    @Test("that do not return are an error after the permitted time")
    func noReturn() throws {
        let audio = try TestAudio.adts(0..<200)
        let server = try HTTPTestServer { _, connection in
            connection.send(Self.head())
            connection.send(audio)
            connection.close()
        }
        let input = try TestInput(server.address("/"), reconnectSeconds: 1)
        let file = try input.input.open()
        server.stop()
        let error = #expect(throws: AudioFileError.self) {
            _ = try file.packets()
            while try input.input.openNext()?.packets() != nil {}
        }
        expectEqual(error?.message.hasSuffix("the server cannot be reached"), true)
        #expect(!input.notices.isEmpty)
    }

    @Test("that only send the same again have ended")
    func repetition() throws {
        let audio = try TestAudio.adts(0..<200)
        let server = try HTTPTestServer { _, connection in
            connection.send(Self.head())
            connection.send(audio)
            connection.close()
        }
        defer { server.stop() }
        let input = try TestInput(server.address("/"), reconnectSeconds: 60)
        try expectEqual(input.input.open().packets(), TestAudio.packets(0..<200))
        var count = 1
        while let next = try input.input.openNext() {
            count += 1
            _ = try next.packets()
        }
        expectEqual(count, 2)
        expectEqual(server.requests.count, 2)
        expectEqual(input.notices.last, "the server only sends the same audio again")
    }

    @Test("that give nothing new are asked less and less often", arguments: [true, false])
    func patience(hasStatus: Bool) throws {
        var schedule = ReconnectSchedule(limitSeconds: 300)
        let failure =
            hasStatus ? NetworkError(.status(404), "not found") : NetworkError(.noConnection, "ended")
        var (seconds, attempts) = (0.0, 0)
        while seconds < 25 {
            let pause = schedule.pause(after: failure, lastSeconds: 0, isAnswered: !hasStatus, notice: nil)
            seconds += Double(try #require(pause)) / 1e9
            attempts += 1
        }
        #expect(attempts < 14)
        schedule.reset()
        let anew = schedule.pause(after: failure, lastSeconds: 0, notice: nil)
        #expect(anew ?? .max < 1_000_000_000)
        // A server that cannot be reached may be back at any moment.
        var other = ReconnectSchedule(limitSeconds: 300)
        for _ in 0..<20 {
            let pause = other.pause(
                after: NetworkError(.noConnection, "refused"), lastSeconds: 0, notice: nil)
            #expect(pause ?? .max < 600_000_000)
        }
    }

    @Test("that send nothing any more are connected to again")
    func silence() throws {
        let audio = try TestAudio.adts(0..<200)
        let server = try HTTPTestServer { _, connection in
            connection.send(Self.head())
            connection.send(audio)
            _ = eventually(within: 20) { connection.isClosed }
        }
        defer { server.stop() }
        let input = try TestInput(server.address("/"))
        try expectEqual(input.input.open().packets(), TestAudio.packets(0..<200))
        #expect(try input.input.openNext() != nil)
        expectEqual(input.notices, ["the server does not answer; connecting again"])
    }

    @Test("in Ogg are one file for each of the chained streams")
    func chained() throws {
        let one = Self.oggPages(serial: 1), two = Self.oggPages(serial: 2)
        var splitter = OggChainSplitter()
        for pieceBytes in [1, 7, 100, 100_000] {
            splitter = OggChainSplitter()
            var parts: [[UInt8]] = [[]]
            var rest = (one + two)[...]
            while !rest.isEmpty {
                let piece = rest.prefix(pieceBytes)
                rest = rest.dropFirst(piece.count)
                unsafe piece.withUnsafeBytes { bytes in
                    unsafe splitter.append(
                        bytes, take: { parts[parts.count - 1] += unsafe Array($0) },
                        boundary: { parts.append([]) })
                }
            }
            expectEqual(parts, [one, two])
        }
    }

    /// Two headers of multiplexed streams, and two pages of data that contain the mark of a page.
    private static func oggPages(serial: UInt8) -> [UInt8] {
        func page(_ flags: UInt8, _ body: [UInt8]) -> [UInt8] {
            Array("OggS".utf8) + [0, flags] + [UInt8](repeating: 0, count: 8) + [serial, 0, 0, 0]
                + [UInt8](repeating: 0, count: 8) + [1, UInt8(body.count)] + body
        }
        return page(2, [1, 2, 3]) + page(2, []) + page(0, Array("OggS\u{0}\u{2}".utf8)) + page(4, [9])
    }
}
