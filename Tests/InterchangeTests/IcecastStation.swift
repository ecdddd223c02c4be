// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import AQSoundHarness

/// A real Icecast server with a station for each codec, fed by FFmpeg. Both can be killed and started again.
final class IcecastStation {
    enum Codec: String, CaseIterable {
        case mp3, aac, vorbis, opus, oggFLAC, flac

        /// Pages of a fifth of a second. FFmpeg's usual second would delay the audio by as much.
        private static let pages = [
            "-f", "ogg", "-page_duration", "200000", "-content_type", "application/ogg",
        ]

        /// The arguments of FFmpeg for noise in this codec, at the speed of playing.
        var arguments: [String] {
            switch self {
            case .mp3: ["-c:a", "libmp3lame", "-b:a", "128k", "-f", "mp3", "-content_type", "audio/mpeg"]
            case .aac: ["-c:a", "aac", "-b:a", "128k", "-f", "adts", "-content_type", "audio/aac"]
            case .vorbis: ["-c:a", "libvorbis", "-q:a", "4"] + Self.pages
            case .opus: ["-c:a", "libopus", "-b:a", "96k"] + Self.pages
            case .oggFLAC: ["-c:a", "flac"] + Self.pages
            case .flac: ["-c:a", "flac", "-f", "flac", "-content_type", "audio/flac"]
            }
        }
    }

    static var isInstalled: Bool { ToolPaths.isInPath("icecast2") && ToolPaths.isInPath("ffmpeg") }

    let codecs: [Codec]
    private let folder = ScratchFolder()
    private let port: UInt16
    private var server: ChildProcess?
    private var sources: [ChildProcess] = []

    init(_ codecs: [Codec]) throws {
        self.codecs = codecs
        // The number of a port that was free just now.
        let free = try HTTPTestServer { $1.close() }
        free.stop()
        port = free.port
        try folder.write(Array(configuration.utf8), to: "icecast.xml")
        // Icecast does not run as root.
        unsafe chmod(folder.path, 0o777)
    }

    deinit { stop() }

    func address(_ codec: Codec) -> String { "http://127.0.0.1:\(port)/\(codec.rawValue)" }

    /// Starts the server, and the programs that feed it; returns once all stations can be heard.
    func start() throws {
        server = try ChildProcess("icecast2", ["-c", folder.file("icecast.xml")])
        try require(eventually(within: 10) { status(of: "/") != nil }, "icecast does not answer")
        sources = try codecs.map { codec in
            try ChildProcess(
                "ffmpeg",
                [
                    "-loglevel", "error", "-re", "-f", "lavfi", "-i",
                    "anoisesrc=color=pink:sample_rate=44100:amplitude=0.5", "-ac", "2",
                ] + codec.arguments + [
                    "-ice_name", "Station \(codec.rawValue)", "-metadata", "title=A title",
                    "icecast://source:secret@127.0.0.1:\(port)/\(codec.rawValue)",
                ])
        }
        try require(
            eventually(within: 20) { codecs.allSatisfy { status(of: "/\($0.rawValue)") == 200 } },
            "the stations cannot be heard: \(sources.map(\.standardError))")
    }

    /// Kills the server and the programs that feed it.
    func stop() {
        for process in sources + [server].compactMap(\.self) {
            process.signal(SIGKILL)
            process.wait(deadlineSeconds: 5)
        }
        (server, sources) = (nil, [])
    }

    private func require(_ condition: Bool, _ words: String) throws {
        if !condition { throw HarnessError(words) }
    }

    /// The status of a response, as soon as it has begun.
    private func status(of path: String) -> Int? { HTTPProbe.status(port: port, path: path) }

    private var configuration: String {
        """
        <icecast>
          <limits><sources>20</sources><burst-size>65535</burst-size><source-timeout>10</source-timeout></limits>
          <authentication>
            <source-password>secret</source-password><admin-user>a</admin-user><admin-password>secret</admin-password>
          </authentication>
          <hostname>localhost</hostname>
          <listen-socket><port>\(port)</port><bind-address>127.0.0.1</bind-address></listen-socket>
          <paths>
            <basedir>\(folder.path)</basedir><logdir>\(folder.path)</logdir><webroot>\(folder.path)</webroot>
            <adminroot>\(folder.path)</adminroot>
          </paths>
          <logging><accesslog>access.log</accesslog><errorlog>error.log</errorlog></logging>
          <security><chroot>0</chroot>
            <changeowner><user>nobody</user><group>nogroup</group></changeowner>
          </security>
        </icecast>
        """
    }
}
