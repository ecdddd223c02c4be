// SPDX-License-Identifier: MIT

import AQFiles
import AQToolSupport

/// The source that a command line selects.
enum SourceChoice: Equatable {
    case defaultSource
    case source(String)
    /// The monitor of a sink; nil for the default sink.
    case monitor(String?)
    /// Audio that the tool generates or reads from a file.
    case virtual(VirtualSound, isFast: Bool)

    enum VirtualSound: Equatable {
        case silence
        case tone(frequency: Double)
        case sequence
        case file(FilePath)
    }

    /// Whether no sound server is needed.
    var isVirtual: Bool {
        if case .virtual = self { true } else { false }
    }

    /// Whether the source generates audio without end, as fast as it can be written.
    var isEndless: Bool {
        switch self {
        case .virtual(.file, _): false
        case .virtual(_, let isFast): isFast
        case .defaultSource, .source, .monitor: false
        }
    }

    /// The file that the source reads; nil if it reads none, or the file cannot be overwritten.
    var file: FileIdentity? {
        guard case .virtual(.file(let path), _) = self else { return nil }
        return FileIdentity(operand: path)
    }

    /// Returns the source for a value of `--device`.
    ///
    /// - Throws: ``UsageError`` for an unknown virtual source.
    static func named(_ name: FilePath) throws(UsageError) -> SourceChoice {
        if let file = file(named: name) { return file }
        let text = name.string ?? name.description
        guard !text.isEmpty else {
            throw UsageError("option '--device' needs a name; '--list-devices' shows them")
        }
        if text == "default" { return .defaultSource }
        guard text == "virtual" || text.hasPrefix("virtual:") || text.hasPrefix("virtual,") else {
            return .source(text)
        }
        var sound = text.dropFirst("virtual".count)
        let isFast = sound.hasSuffix(",fast")
        if isFast { sound = sound.dropLast(",fast".count) }
        guard let choice = virtualSound(sound) else {
            throw UsageError(
                "'\(text)' is not a virtual device; write virtual, virtual:tone, virtual:tone=440, "
                    + "virtual:sequence or virtual:file=PATH, followed by ',fast' to run at full speed")
        }
        return .virtual(choice, isFast: isFast)
    }

    /// Returns the source for a value of `--monitor`.
    static func monitor(ofSinkNamed text: String) throws(UsageError) -> SourceChoice {
        guard !text.isEmpty else {
            throw UsageError("option '--monitor' needs the name of a sink, or 'default'")
        }
        return .monitor(text == "default" ? nil : text)
    }

    /// Returns the source that reads a file, whose name may be other than UTF-8; nil for all other sources.
    private static func file(named name: FilePath) -> SourceChoice? {
        let prefix = "virtual:file="
        guard name.bytes.starts(with: prefix.utf8) else { return nil }
        var path = name.bytes.dropFirst(prefix.utf8.count)
        let isFast = path.suffix(5).elementsEqual(",fast".utf8)
        if isFast { path = path.dropLast(5) }
        return path.isEmpty ? nil : .virtual(.file(FilePath(bytes: path)), isFast: isFast)
    }

    private static func virtualSound(_ text: Substring) -> VirtualSound? {
        switch text {
        case "", ":silence": return .silence
        case ":tone": return .tone(frequency: 440)
        case ":sequence": return .sequence
        default: break
        }
        if text.hasPrefix(":tone="), let frequency = DecimalParser.number(text.dropFirst(":tone=".count)),
            frequency > 0, frequency <= 192_000
        {
            return .tone(frequency: frequency)
        }
        return nil
    }
}
