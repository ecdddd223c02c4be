import CPulse
import Glibc

/// The properties by which a server presents a stream: its name, role and icon.
///
/// The user's own come first: `PULSE_PROP` and its variants in the environment. libpulse gives them to the connection
/// alone, and to a server a stream's properties come before its connection's. So a stream takes them too, in
/// libpulse's order.
struct PulseStreamProperties {
    /// Servers end the connection of a client that sends a property of more than 64 KiB, and a file's title can be one.
    static let mostBytes = 1024

    /// Nil for the program's name.
    var name: String?
    private let role: StreamRole?
    private let iconName: String?
    /// The name that the server was given last.
    private var shownName: String?

    init(name: String?, role: StreamRole?, iconName: String?) {
        self.name = name
        self.role = role
        self.iconName = iconName
    }

    /// Makes a stream with the present properties, which the server gets together with the stream; nil if libpulse
    /// refuses it.
    mutating func makeStream(
        in context: OpaquePointer, _ spec: inout pa_sample_spec, _ map: inout pa_channel_map
    ) -> OpaquePointer? {
        guard let list = unsafe pa_proplist_new() else { return nil }
        defer { unsafe pa_proplist_free(list) }
        let own = [
            (PA_PROP_MEDIA_NAME, displayedName), (PA_PROP_MEDIA_ROLE, role?.rawValue),
            (PA_PROP_MEDIA_ICON_NAME, iconName),
        ]
        for (key, value) in own {
            guard let value = Self.valueOfUser(key) ?? value else { continue }
            unsafe pa_proplist_sets(list, key, Self.accepted(value))
        }
        shownName = name
        return unsafe pa_stream_new_with_proplist(context, nil, &spec, &map, list)
    }

    /// Gives a stream the present name, if that has changed since, the stream is ready, and the user has not chosen
    /// another one. Does not wait for the answer.
    mutating func renew(on stream: OpaquePointer?) {
        guard let stream = unsafe stream, unsafe pa_stream_get_state(stream) == PA_STREAM_READY,
            name != shownName
        else { return }
        shownName = name
        guard Self.valueOfUser(PA_PROP_MEDIA_NAME) == nil else { return }
        unsafe PulseOperations.release(pa_stream_set_name(stream, Self.accepted(displayedName), nil, nil))
    }

    private var displayedName: String { name ?? Self.programName }

    /// As libpulse names the process (`application.process.binary`).
    private static var programName: String {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
            guard let start = buffer.baseAddress,
                let name = unsafe pa_get_binary_name(start, buffer.count)
            else { return "Audio Queue" }
            return unsafe String(cString: name)
        }
    }

    // MARK: Text

    /// `text` as libpulse and servers accept it: no longer than ``mostBytes``, without noncharacters, which libpulse
    /// takes for damage.
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

    /// The value that the user has chosen for a property of all streams; nil for none.
    ///
    /// - Parameter variable: The value of an environment variable.
    static func valueOfUser(
        _ key: String, in variable: (String) -> String? = PulseStreamProperties.environment
    ) -> String? {
        if let list = variable("PULSE_PROP_OVERRIDE"), let value = value(of: key, inList: list) {
            return value
        }
        if let value = variable("PULSE_PROP_OVERRIDE_\(key)") ?? variable("PULSE_PROP_\(key)") {
            return value
        }
        return variable("PULSE_PROP").flatMap { value(of: key, inList: $0) }
    }

    private static func value(of key: String, inList text: String) -> String? {
        guard let list = unsafe pa_proplist_from_string(text) else { return nil }
        defer { unsafe pa_proplist_free(list) }
        return unsafe pa_proplist_gets(list, key).map { unsafe String(cString: $0) }
    }

    private static func environment(_ variable: String) -> String? {
        // SAFETY: nothing in this process changes the environment.
        unsafe getenv(variable).map { unsafe String(cString: $0) }
    }
}
