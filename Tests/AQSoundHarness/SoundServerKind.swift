// SPDX-License-Identifier: MIT

import AQTestSupport

/// The sound server of a ``PulseServer``: both have PulseAudio's protocol.
public enum SoundServerKind: String, Sendable, CaseIterable {
    case pulseAudio = "pulseaudio"
    /// PipeWire with WirePlumber and its PulseAudio server, in a D-Bus session of their own.
    case pipeWire = "pipewire"

    /// The variable that chooses.
    public static let variable = "AQ_SOUND_SERVER"

    /// The server that AQ_SOUND_SERVER names; if it is not set PulseAudio, or PipeWire if that alone is installed.
    ///
    /// - Throws: ``HarnessError`` for another name.
    public static func chosen() throws -> SoundServerKind {
        guard let name = Environment.value(variable) else {
            let isPipeWireAlone = !ToolPaths.isInPath("pulseaudio") && ToolPaths.isInPath("pipewire-pulse")
            return isPipeWireAlone ? .pipeWire : .pulseAudio
        }
        if let kind = SoundServerKind(rawValue: name) { return kind }
        let names = allCases.map { "'\($0.rawValue)'" }.joined(separator: " or ")
        throw HarnessError("cannot choose a sound server: \(variable) is '\(name)', not \(names)")
    }

    /// The programs that must be in PATH.
    public var programs: [String] {
        let clients = ["pactl", "parec", "paplay"]
        return switch self {
        case .pulseAudio: ["pulseaudio"] + clients
        case .pipeWire: ["pipewire", "wireplumber", "pipewire-pulse", "dbus-run-session"] + clients
        }
    }
}
