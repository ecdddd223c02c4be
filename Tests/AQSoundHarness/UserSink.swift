// SPDX-License-Identifier: MIT

import AQTestSupport

/// The default sink of the user's own sound server.
public struct UserSink: Sendable, Equatable {
    public var name: String
    public var sampleRate: Int
    public var channels: Int

    /// Queries the user's server; nil if none runs, or it has only the dummy sink of a missing sound card. Starts no
    /// server, as libpulse might.
    public static func findDefault() -> UserSink? {
        func ask(_ arguments: String...) -> String? {
            let result = try? ChildProcess.run(
                "pactl", arguments,
                environment: ["LC_ALL": "C", "PULSE_CLIENTCONFIG": "/dev/stdin"],
                standardInput: Array(".include /etc/pulse/client.conf\nautospawn = no\n".utf8),
                deadlineSeconds: 5)
            return result?.exitStatus == 0 ? result?.standardOutput : nil
        }
        guard let info = ask("info"), let sinks = ask("list", "short", "sinks"),
            let name = info.split(separator: "\n").first(where: { $0.hasPrefix("Default Sink: ") })?
                .dropFirst("Default Sink: ".count), name != "auto_null"
        else { return nil }
        return sinks.split(separator: "\n").lazy.compactMap(parse).first { $0.name == name }
    }

    /// Reads a line such as "0 sink module s16le 2ch 44100Hz RUNNING", with tabs between its fields.
    static func parse(_ line: Substring) -> UserSink? {
        let fields = line.split(separator: "\t")
        guard fields.count >= 4 else { return nil }
        let specification = fields[3].split(separator: " ")
        guard specification.count == 3, let channels = Int(specification[1].dropLast("ch".count)),
            let sampleRate = Int(specification[2].dropLast("Hz".count)), channels > 0, sampleRate > 0
        else { return nil }
        return UserSink(name: String(fields[1]), sampleRate: sampleRate, channels: channels)
    }
}
