// SPDX-License-Identifier: MIT

import AQExpectations
import Foundation
import AQSoundHarness
import Testing

/// HLS with segments that FFmpeg made: the same samples as those of the stream before it was cut.
@Suite(
    "HLS made by FFmpeg", .enabled(if: Environment.value("AQ_INTERCHANGE") != nil, "make test-radio"),
    .enabled(if: ToolPaths.isInPath("ffmpeg"), "FFmpeg is not installed"))
struct HLSInterchangeTests {
    private let folder = ScratchFolder()
    private static let noise = "anoisesrc=color=pink:sample_rate=44100:amplitude=0.5:seed=1"

    enum Segments: String, CaseIterable {
        case ts, fmp4, adts, mp3

        /// The arguments that cut an encoded stream, without encoding it again.
        var arguments: [String] {
            let list = ["-hls_time", "3", "-hls_playlist_type", "vod"]
            return switch self {
            case .ts: ["-f", "hls"] + list
            case .fmp4: ["-bsf:a", "aac_adtstoasc", "-f", "hls", "-hls_segment_type", "fmp4"] + list
            case .adts, .mp3:
                [
                    "-f", "segment", "-segment_time", "3", "-segment_format", rawValue, "-segment_list",
                    "list.m3u8",
                ]
            }
        }
    }

    private func ffmpeg(_ arguments: [String]) throws {
        let result = try ChildProcess.run(
            "sh", ["-c", "cd \"$0\" && exec ffmpeg -loglevel error -y \"$@\"", folder.path] + arguments)
        try #require(result.exitStatus == 0, "\(result.standardError)")
    }

    private func server() throws -> HTTPTestServer {
        try HTTPTestServer { [folder] request, connection in
            let bytes = folder.bytes(of: String(request.path.dropFirst()))
            if bytes.isEmpty {
                connection.respond("404 Not Found")
            } else {
                connection.respond(request, file: bytes)
            }
        }
    }

    private func samples(of input: String) throws -> [UInt8] {
        let output = folder.file("out.wav")
        let result = try ChildProcess.run(ToolPaths.tool("aqconvert"), ["-y", "-d", "I16", input, output])
        try #require(result.exitStatus == 0, "\(result.standardError)")
        return Self.data(in: folder.bytes(of: "out.wav"))
    }

    /// The samples of a WAVE file.
    private static func data(in wave: [UInt8]) -> [UInt8] {
        guard let mark = wave.prefix(4096).firstRange(of: Array("data".utf8)) else { return [] }
        return Array(wave[(mark.upperBound + 4)...])
    }

    @Test("on demand", arguments: Segments.allCases)
    func onDemand(segments: Segments) throws {
        let whole = segments == .mp3 ? "whole.mp3" : "whole.aac"
        let codec = segments == .mp3 ? ["-c:a", "libmp3lame"] : ["-c:a", "aac"]
        try ffmpeg(
            ["-f", "lavfi", "-i", Self.noise, "-t", "20", "-ac", "2"] + codec + ["-b:a", "128k", whole])
        let last =
            ["ts", "fmp4"].contains(segments.rawValue) ? ["list.m3u8"] : ["part%d.\(segments.rawValue)"]
        try ffmpeg(["-i", whole, "-c", "copy"] + segments.arguments + last)
        let server = try server()
        defer { server.stop() }
        let joined = try samples(of: server.address("/list.m3u8"))
        let expected = try samples(of: folder.file(whole))
        #expect(server.requests.count > 6)
        guard segments == .mp3 else { return expectEqual(joined, expected) }
        // The tag that states the trims of the whole is not part of a broadcast.
        let key = Array(expected[200_000..<204_000])
        let place = try #require(joined.firstRange(of: key)).lowerBound - 200_000
        #expect(joined[place...].starts(with: expected.dropLast(8000)))
    }

    @Test("live")
    func live() throws {
        // Without noise substitution, whose random numbers depend on all packets since the decoder's start.
        let encoder = try ChildProcess(
            "sh",
            [
                "-c", "cd \"$0\" && exec ffmpeg -loglevel error -y \"$@\"", folder.path, "-re", "-f", "lavfi",
                "-t",
                "40", "-i", Self.noise, "-ac", "2", "-c:a", "aac", "-aac_pns", "0", "-b:a", "128k", "-map",
                "0:a", "-f",
                "tee",
                "[f=hls:hls_time=1:hls_list_size=5:hls_flags=delete_segments]live.m3u8|[f=adts]whole.aac",
            ])
        let server = try server()
        defer { server.stop() }
        #expect(eventually(within: 20) { folder.names.count { $0.hasSuffix(".ts") } >= 4 })
        let recorder = try ChildProcess(
            ToolPaths.tool("aqconvert"),
            ["-y", "-d", "I16", server.address("/live.m3u8"), folder.file("live.wav")])
        let result = recorder.wait(deadlineSeconds: 100)
        encoder.wait()
        expectEqual(result.exitStatus, 0, "\(result.standardError)")
        let received = Self.data(in: folder.bytes(of: "live.wav"))
        let expected = try samples(of: folder.file("whole.aac"))
        // More than twenty segments, from the middle of the stream to its end.
        try #require(received.count > 44_100 * 4 * 20)
        let key = Array(received[40_000..<44_000])
        let place = try #require(expected.firstRange(of: key)).lowerBound - 40_000
        // The first packets lack the one before them.
        #expect(
            received[20_000...].elementsEqual(expected[(place + 20_000)...].prefix(received.count - 20_000)))
        expectEqual(place + received.count, expected.count)
    }
}
