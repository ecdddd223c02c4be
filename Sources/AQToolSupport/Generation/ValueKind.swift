// SPDX-License-Identifier: MIT

/// The kind of an option's value, or of a tool's operands, from which completion selects what it offers.
public enum ValueKind: Sendable, Equatable {
    /// Text. Nothing is offered.
    case text
    /// A number. Nothing is offered.
    case number
    /// A time in the forms that ``TimeParser`` accepts. Nothing is offered.
    case time
    /// Files with one of these extensions, in lower case and without the dot, and folders. Without extensions, and if
    /// nothing has one of them, all files are offered.
    case file(extensions: [String] = [])
    case folder
    /// One of some words.
    case words([ValueWord])
    /// Words that the tool lists when it is asked, such as the devices of a sound server. See
    /// ``OptionParser/generatedText(for:listing:)``.
    ///
    /// - Parameter filePrefix: The beginning of a value after which the path of a file follows.
    case listed(filePrefix: String? = nil)

    /// Whether the tool lists the values when it is asked.
    var isListed: Bool {
        if case .listed = self { return true }
        return false
    }

    /// The kind of a value that was declared without one.
    ///
    /// - Parameter name: The value's name for `--help`. `track|album`, in lower case, is a choice of words.
    static func usual(named name: String) -> ValueKind {
        switch name {
        case "FILE": return .file()
        case "FOLDER", "DIRECTORY": return .folder
        case "TIME": return .time
        case "N", "HZ", "DB": return .number
        default: break
        }
        let words = name.split(separator: "|", omittingEmptySubsequences: false)
        let areLiteral = words.allSatisfy { word in
            !word.isEmpty
                && word.utf8.allSatisfy { byte in
                    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
                        || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                        || byte == UInt8(ascii: "-")
                }
        }
        guard words.count > 1, areLiteral else { return .text }
        return .words(words.map { ValueWord(String($0)) })
    }
}

/// A value that completion offers. If it ends with `=`, the user continues it.
public struct ValueWord: Sendable, Equatable, ExpressibleByStringLiteral {
    public var text: String
    /// The description that zsh and fish show; empty for none.
    public var help: String

    public init(_ text: String, help: String = "") {
        self.text = text
        self.help = help
    }

    public init(stringLiteral text: String) { self.init(text) }
}
