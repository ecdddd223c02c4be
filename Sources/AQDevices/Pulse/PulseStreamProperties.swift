// SPDX-License-Identifier: MIT

import Glibc

/// The stream properties that a server shows: name, role and icon.
///
/// The user's settings, `PULSE_PROP` and its variants in the environment, have priority. libpulse applies them only to
/// the connection, and servers prefer a stream's properties to its connection's. Therefore they are applied to the
/// stream too, in libpulse's order.
struct PulseStreamProperties {
    /// The longest value that is sent, in bytes. Servers disconnect a client that sends more than 64 KiB, and a title
    /// from a file may be longer than that.
    static let mostBytes = 1024

    /// The stream's name; nil for the program's name.
    var name: String?
    let role: StreamRole?
    private let iconName: String?
    /// The name last sent to the server.
    private var shownName: String?

    init(name: String?, role: StreamRole?, iconName: String?) {
        self.name = name
        self.role = role
        self.iconName = iconName
    }

    /// The properties of a stream about to be made.
    mutating func forNewStream() -> [(key: String, value: String)] {
        shownName = name
        let own = [
            ("media.name", displayedName), ("media.role", role?.rawValue), ("media.icon_name", iconName),
            // COMPAT: by default, PipeWire mixes two channels into one with factors of 0.707, which is 3 dB louder than
            // PulseAudio and may clip. With this property the factors add up to 1. PulseAudio ignores it.
            ("channelmix.normalize", "true"),
        ]
        return own.compactMap { key, value in
            (Self.valueOfUser(key) ?? value).map { (key, Self.accepted($0)) }
        }
    }

    /// The new name of an existing stream; nil if it has not changed, or the user has set a name.
    mutating func newName() -> String? {
        guard name != shownName else { return nil }
        shownName = name
        return Self.valueOfUser("media.name") == nil ? Self.accepted(displayedName) : nil
    }

    private var displayedName: String { name ?? PulsePropertyList.programName ?? "Audio Queue" }

    // MARK: Text

    /// `text` in a form that libpulse and servers accept: at most ``mostBytes``, without noncharacters, which libpulse
    /// rejects.
    static func accepted(_ text: String) -> String {
        var accepted = String.UnicodeScalarView()
        var bytes = 0
        for scalar in text.unicodeScalars {
            let value = scalar.value
            let isRefused = value == 0 || value & 0xFFFE == 0xFFFE || 0xFDD0...0xFDEF ~= value
            let kept = isRefused ? "\u{FFFD}" : scalar
            bytes += UTF8.width(kept)
            guard bytes <= mostBytes else { break }
            accepted.append(kept)
        }
        return String(accepted)
    }

    // MARK: The user's properties

    /// The user's value of a property for all streams; nil for none.
    ///
    /// - Parameter variable: Returns the value of an environment variable.
    static func valueOfUser(
        _ key: String, in variable: (String) -> String? = PulseStreamProperties.environment
    ) -> String? {
        if let list = variable("PULSE_PROP_OVERRIDE"),
            let value = PulsePropertyList.value(of: key, inText: list)
        {
            return value
        }
        if let value = variable("PULSE_PROP_OVERRIDE_\(key)") ?? variable("PULSE_PROP_\(key)") {
            return value
        }
        return variable("PULSE_PROP").flatMap { PulsePropertyList.value(of: key, inText: $0) }
    }

    private static func environment(_ variable: String) -> String? {
        // SAFETY: nothing in this process changes the environment.
        unsafe getenv(variable).map { unsafe String(cString: $0) }
    }
}
