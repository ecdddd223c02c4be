// SPDX-License-Identifier: MIT

public import AQFiles
import Glibc

/// A tool's command line as a table, which parses arguments and writes the text of `--help`.
public struct OptionParser: Sendable {
    public var toolName: String
    /// The operands in the usage line: `FILE...`.
    public var operandUsage: String
    /// The kind of the operands, for completion.
    public var operandKind: ValueKind
    /// One or two sentences about the tool.
    public var summary: String
    public var groups: [OptionGroup]
    public var sections: [HelpSection]
    /// The parts of the manual page that are not in `--help`.
    public var manual: Manual

    /// - Parameter operandKind: The kind of the operands; nil for files, unless there are no operands.
    public init(
        toolName: String, operandUsage: String, operandKind: ValueKind? = nil, summary: String,
        groups: [OptionGroup], sections: [HelpSection] = [], manual: Manual = Manual()
    ) {
        self.toolName = toolName
        self.operandUsage = operandUsage
        self.operandKind = operandKind ?? (operandUsage.isEmpty ? .text : .file())
        self.manual = manual
        self.summary = summary
        self.groups = groups
        self.sections = sections
    }

    /// The options and operands of a command line, in order.
    public struct Parsed: Sendable, Equatable {
        public struct Occurrence: Sendable, Equatable {
            /// The option's long name, without dashes.
            public var name: String
            /// The value, byte for byte, for options that take a path.
            public var path: FilePath?
            /// The value as text. Bytes that are not UTF-8 become escapes such as `\xe9`, which no option accepts.
            public var value: String? { path.map { $0.string ?? $0.description } }

            public init(name: String, value: FilePath?) {
                self.name = name
                self.path = value
            }
        }

        public var options: [Occurrence] = []
        public var operands: [FilePath] = []
    }

    /// Sorts `arguments` (without the tool's own name) into options and operands.
    ///
    /// `--` ends the options; a lone `-` is an operand; options and operands may be mixed. A `file:` address is the path
    /// of its file, as an operand and as the value of an option that takes a file.
    ///
    /// - Throws: ``UsageError`` for an unknown option, a missing value, or an unexpected value.
    public func parse(_ arguments: [FilePath]) throws(UsageError) -> Parsed {
        var parsed = Parsed()
        var index = 0
        while index < arguments.count {
            let argument = arguments[index]
            index += 1
            if argument == "--" {
                parsed.operands += arguments[index...]
                break
            } else if argument.bytes.starts(with: "--".utf8) {
                try parseLong(argument, arguments, &index, &parsed)
            } else if argument.bytes.first == UInt8(ascii: "-") && argument.bytes.count > 1 {
                try parseShort(argument, arguments, &index, &parsed)
            } else {
                parsed.operands.append(argument)
            }
        }
        parsed.operands = try parsed.operands.map { (operand) throws(UsageError) in
            try FilePath.ofOperand(operand)
        }
        return parsed
    }

    private func parseLong(
        _ argument: FilePath, _ arguments: [FilePath], _ index: inout Int, _ parsed: inout Parsed
    ) throws(UsageError) {
        let body = argument.bytes.dropFirst(2)
        let equals = body.firstIndex(of: UInt8(ascii: "="))
        let name = FilePath(bytes: body[..<(equals ?? body.endIndex)]).description
        guard let option = option(long: name) else {
            throw unknown("--\(name)", suggestion: longSuggestion(for: name))
        }
        if let equals {
            guard option.value != .none else { throw UsageError("option '--\(name)' takes no value") }
            try add(option, FilePath(bytes: body[(equals + 1)...]), to: &parsed)
        } else {
            try add(option, try followingValue(of: option, "--\(name)", arguments, &index), to: &parsed)
        }
    }

    private func parseShort(
        _ argument: FilePath, _ arguments: [FilePath], _ index: inout Int, _ parsed: inout Parsed
    ) throws(UsageError) {
        var rest = argument.bytes.dropFirst()
        while let byte = rest.first {
            let letter =
                byte < 0x80
                ? Character(Unicode.Scalar(byte)) : FilePath(bytes: rest).description.first ?? "?"
            guard let option = option(short: letter) else {
                throw unknown(
                    "-\(letter)", suggestion: shortSuggestion(for: argument.description, letter))
            }
            rest.removeFirst()
            if takesRest(option, rest) {
                try add(option, FilePath(bytes: rest), to: &parsed)
                return
            }
            try add(option, try followingValue(of: option, "-\(letter)", arguments, &index), to: &parsed)
        }
    }

    /// Returns whether the rest of an argument is the option's value. An optional value begins with a digit, so that
    /// mistyped letters are reported.
    private func takesRest(_ option: CommandOption, _ rest: ArraySlice<UInt8>) -> Bool {
        guard let first = rest.first else { return false }
        return switch option.value {
        case .none: false
        case .required: true
        case .optional: UInt8(ascii: "0")...UInt8(ascii: "9") ~= first
        }
    }

    private func add(
        _ option: CommandOption, _ value: FilePath?, to parsed: inout Parsed
    ) throws(UsageError) {
        var value = value
        if let path = value, option.takesFile { value = try FilePath.ofOperand(path) }
        parsed.options.append(Parsed.Occurrence(name: option.long, value: value))
    }

    /// The next argument, if it is the value of `option`. Another option is not a value; `-6dB` and a lone `-` are. An
    /// optional value is a number, unless a file has its name.
    private func followingValue(
        of option: CommandOption, _ spelling: String, _ arguments: [FilePath], _ index: inout Int
    ) throws(UsageError) -> FilePath? {
        if case .optional = option.value, index < arguments.count, Self.isNumber(arguments[index]) {
            defer { index += 1 }
            return arguments[index]
        }
        guard case .required(let valueName) = option.value else { return nil }
        guard index < arguments.count, !isOption(arguments[index].description) else {
            let form = spelling.utf8.count > 2 ? "\(spelling)=\(valueName)" : "\(spelling) \(valueName)"
            throw UsageError("option '\(spelling)' needs a value; write '\(form)'")
        }
        defer { index += 1 }
        return arguments[index]
    }

    private static func isNumber(_ argument: FilePath) -> Bool {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard !argument.bytes.isEmpty, argument.bytes.allSatisfy({ digits ~= $0 }) else { return false }
        return unsafe access(argument.cString, F_OK) != 0
    }

    private func isOption(_ argument: String) -> Bool {
        if argument == "--" { return true }
        let body = argument.drop { $0 == "-" }
        switch argument.utf8.count - body.utf8.count {
        case 1: return body.utf8.count == 1 && body.first.flatMap(option(short:)) != nil
        case 2: return option(long: String(body.prefix { $0 != "=" })) != nil
        default: return false
        }
    }

    private func option(long name: String) -> CommandOption? { options.first { $0.long == name } }

    private func option(short letter: Character) -> CommandOption? { options.first { $0.short == letter } }

    /// The options of all groups.
    var options: [CommandOption] { groups.flatMap(\.options) }
}
