/// One option of a tool's command line.
public struct CommandOption: Sendable, Equatable {
    /// The value that follows an option, with its name for `--help`.
    public enum Value: Sendable, Equatable {
        case none
        /// A value written as `--x=v`, `--x v`, `-xv` or `-x v`.
        case required(String)
        /// A value written as `--x`, `--x=v`, `-x`, or `-xv` for a number; never as a separate argument.
        case optional(String)
    }

    /// The long name without its dashes.
    public var long: String
    public var short: Character?
    public var value: Value
    /// A sentence for `--help`.
    public var help: String

    public init(_ long: String, short: Character? = nil, value: Value = .none, help: String) {
        self.long = long
        self.short = short
        self.value = value
        self.help = help
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
    public var rows: [Row]

    public init(_ title: String, _ rows: [Row]) {
        self.title = title
        self.rows = rows
    }
}
