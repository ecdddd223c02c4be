// SPDX-License-Identifier: MIT

import AQExpectations
import Foundation
import AQSoundHarness
import Testing

/// aqplay with stations of a real Icecast, whose server is killed and started again twice.
///
/// `AQ_RADIO_MINUTES` sets the duration, one minute by default; `AQ_RADIO_CODECS=mp3,aac` selects stations.
@Suite(
    "Radio", .serialized, .enabled(if: Environment.value("AQ_INTERCHANGE") != nil, "make test-radio"),
    .enabled(if: IcecastStation.isInstalled, "Icecast and FFmpeg are not both installed"))
struct RadioTests {
    private static let minutes = Environment.value("AQ_RADIO_MINUTES").flatMap { Double($0) } ?? 1
    /// The time for which the server is away.
    private static let outageSeconds = 15.0
    /// The duration of silence that counts as a gap.
    private static let gapSeconds = 0.02

    @Test("goes on within two seconds of the server's return, and has no other gap")
    func outages() throws {
        let wanted = Environment.value("AQ_RADIO_CODECS")?.split(separator: ",").map(String.init)
        let station = try IcecastStation(
            IcecastStation.Codec.allCases.filter { wanted?.contains($0.rawValue) ?? true })
        try station.start()
        var options = PulseServer.Options()
        options.sampleRate = 44_100
        let server = try PulseServer(options)
        for codec in station.codecs {
            var sink = options
            sink.sinkName = codec.rawValue
            _ = try server.addSink(sink)
        }
        let captures = try station.codecs.map { codec in
            try MonitorCapture(
                source: "\(codec.rawValue).monitor", sampleRate: 44_100, channels: 2,
                environment: server.environment)
        }
        let players = try station.codecs.map { codec in
            try ChildProcess(
                ToolPaths.tool("aqplay"), ["--device", codec.rawValue, station.address(codec)],
                environment: server.environment)
        }
        for (codec, capture) in zip(station.codecs, captures) {
            #expect(capture.waitForSound(upToSeconds: 15), "\(codec.rawValue) is not heard")
        }
        let partSeconds = (Self.minutes * 60 - 2 * Self.outageSeconds) / 3
        var returns: [UInt64] = []
        for _ in 0..<2 {
            leaveAsIs(seconds: partSeconds)
            station.stop()
            leaveAsIs(seconds: Self.outageSeconds)
            try station.start()
            returns.append(HostClock.now)
        }
        leaveAsIs(seconds: partSeconds)
        for (codec, (player, capture)) in zip(station.codecs, zip(players, captures)) {
            #expect(player.isRunning, "\(codec.rawValue): \(player.standardError)")
            player.signal(SIGINT)
            expectEqual(player.wait(deadlineSeconds: 10).exitStatus, 130)
            check(capture.stop(), codec, returns)
        }
    }

    private func check(_ played: Recording, _ codec: IcecastStation.Codec, _ returns: [UInt64]) {
        let gaps = played.gaps(minimumFrames: Int(Self.gapSeconds * 44_100))
        let ends = gaps.map { gap -> Double in
            let end = played.hostTime(ofFrame: gap.startFrame + gap.frames) ?? 0
            // Relative to the return that it belongs to.
            let related = returns.last { $0 < end + 2_000_000_000 } ?? 0
            return HostClock.seconds(from: related, to: end)
        }
        let words = zip(gaps, ends).map { gap, end in
            "\(Double(gap.frames) / 44_100) s, until \(end) s after the return"
        }
        print("Radio, \(codec.rawValue): \(played.frames / 44_100) s, gaps: \(words)")
        #expect(gaps.count <= returns.count, "\(codec.rawValue): \(words)")
        #expect(ends.allSatisfy { $0 < 2 }, "\(codec.rawValue): \(words)")
    }
}
