// SPDX-License-Identifier: MIT

/// One option of a tool's command line.
public struct CommandOption: Sendable, Equatable {
    /// The value that follows an option, with its name for `--help`.
    public enum Value: Sendable, Equatable {
        case none
        /// A value written as `--x=v`, `--x v`, `-xv` or `-x v`.
        case required(String)
        /// A value written as `--x`, `--x=v`, `-x`, or `-xv` for a number. A separate argument is the value if it is a
        /// whole number, and not the name of a file.
        case optional(String)
    }

    /// The long name without its dashes.
    public var long: String
    public var short: Character?
    public var value: Value
    /// The kind of the value, for completion.
    public var kind: ValueKind
    /// Whether the option can be given several times. If not, completion offers it once.
    public var isRepeatable: Bool
    /// A sentence for `--help`, or several. Completion shows the first.
    public var help: String

    /// - Parameter kind: The kind of the value; nil for the usual one of a value with this name.
    public init(
        _ long: String, short: Character? = nil, value: Value = .none, kind: ValueKind? = nil,
        isRepeatable: Bool = false, help: String
    ) {
        self.long = long
        self.short = short
        self.value = value
        self.kind = kind ?? value.name.map(ValueKind.usual(named:)) ?? .text
        self.isRepeatable = isRepeatable
        self.help = help
    }

    /// Whether the value is the name of a file or a folder.
    var takesFile: Bool {
        switch kind {
        case .file, .folder: true
        default: false
        }
    }
}

extension CommandOption.Value {
    /// The name for `--help`; nil if there is no value.
    public var name: String? {
        switch self {
        case .none: nil
        case .required(let name), .optional(let name): name
        }
    }
}

/// Options that `--help` lists together.
public struct OptionGroup: Sendable, Equatable {
    public var title: String
    public var options: [CommandOption]

    public init(_ title: String, _ options: [CommandOption]) {
        self.title = title
        self.options = options
    }
}

/// A table at the end of `--help`, such as the keys or the exit statuses.
public struct HelpSection: Sendable, Equatable {
    public struct Row: Sendable, Equatable {
        public var term: String
        public var text: String

        public init(_ term: String, _ text: String) {
            self.term = term
            self.text = text
        }
    }

    public var title: String
    /// The title in the manual page.
    public var manualTitle: String
    public var rows: [Row]

    /// - Parameter manualTitle: The title in the manual page; nil for `title`.
    public init(_ title: String, manualTitle: String? = nil, _ rows: [Row]) {
        self.title = title
        self.manualTitle = manualTitle ?? title
        self.rows = rows
    }
}
