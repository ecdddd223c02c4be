// SPDX-License-Identifier: MIT

/// The completion script of a tool for fish 3.4 or later.
struct FishCompletion {
    private let parser: OptionParser
    private var tool: String { parser.toolName }

    init(_ parser: OptionParser) { self.parser = parser }

    var script: String {
        """
        # Completion of \(tool) for fish, written by '\(tool) --generate-completion=fish'.

        \(functions)complete -c \(tool) -f
        \(operandLine)\(parser.options.map(line).joined(separator: "\n"))

        """
    }

    private var operandLine: String {
        guard let offered = candidates(parser.operandKind, option: "") else { return "" }
        return "complete -c \(tool) \(offered)\n"
    }

    private func line(_ option: CommandOption) -> String {
        var words = ["complete -c \(tool)"]
        // The condition would also hide the values of an option, so that only options without one have it.
        if option.value == .none, !option.isRepeatable {
            let short = option.short.map { " \($0)" } ?? ""
            words.append("-n '__\(tool)_lacks \(option.long)\(short)'")
        }
        if let short = option.short { words.append("-s \(short)") }
        words.append("-l \(option.long)")
        if option.requiresValue {
            words.append("-r")
            words.append(candidates(option.kind, option: option.long) ?? "-f")
        }
        words.append("-d \(Self.quoted(option.shortHelp))")
        return words.joined(separator: " ")
    }

    /// The arguments of `complete` that offer values; nil if nothing is offered.
    private func candidates(_ kind: ValueKind, option: String) -> String? {
        switch kind {
        case .text, .number, .time: return nil
        case .file(let extensions) where extensions.isEmpty: return "-F"
        case .file(let extensions):
            return "-f -k -a "
                + Self.quoted("(__\(tool)_files \(Self.quoted(extensions.joined(separator: "|"))))")
        case .folder: return "-f -a '(__fish_complete_directories)'"
        case .words(let words):
            let lines = words.map { Self.doubleQuoted($0.help.isEmpty ? $0.text : "\($0.text)\t\($0.help)") }
            return "-f -a " + Self.quoted("(printf '%s\\n' \(lines.joined(separator: " ")))")
        case .listed(let prefix):
            return "-f -a " + Self.quoted("(__\(tool)_listed \(option) \(prefix ?? ""))")
        }
    }

    private var functions: String {
        let kinds = [parser.operandKind] + parser.options.map(\.kind)
        var text = onceFunction
        if kinds.contains(where: \.hasExtensions) { text += fileFunction }
        if kinds.contains(where: \.isListed) { text += listFunction }
        return text
    }

    private var onceFunction: String {
        let valued = String(parser.options.filter(\.requiresValue).compactMap(\.short))
        let group =
            valued.isEmpty
            ? "" : "    string match -qr -- '^-\\w+[\(valued)]$' $words[-1]; and set -e words[-1]\n"
        return #"""
            # Whether an option has not been given: LONG [SHORT]. fish reads a group of options such as '-qd' by the
            # conditions of its options, so those before the value of a group's last option do not count.
            function __\#(tool)_lacks
                set -l words (commandline -cpo)
            \#(group)    contains -- --$argv[1] $words; and return 1
                set -q argv[2]; or return 0
                not string match -qr -- "^-[^-]*$argv[2]" $words
            end


            """#
    }

    private var fileFunction: String {
        #"""
        # Offers folders and files with one of the extensions in a pattern, or all files if there are none.
        function __\#(tool)_files
            set -l value (commandline -ct | string replace -r -- '^--[^=]*=' '')
            set -l all (complete -C "__fish_command_without_completions $value")
            set -l fitting (string match -ir -- "^.*(?:/|\.(?:$argv[1]))\$" $all)
            set -q fitting[1]; or set fitting $all
            string join \n -- $fitting
        end


        """#
    }

    private var listFunction: String {
        #"""
        # Offers what the tool lists for an option: OPTION [PREFIX]. After the prefix follows a path.
        function __\#(tool)_listed
            set -l value (commandline -ct | string replace -r -- '^--[^=]*=' '')
            if set -q argv[2]; and string match -q -- "$argv[2]*" $value
                set -l path (string sub -s (math (string length -- $argv[2]) + 1) -- $value)
                string replace -r -- '^' $argv[2] (complete -C "__fish_command_without_completions $path")
            else
                \#(tool) --generate-values=$argv[1] 2>/dev/null
            end
        end


        """#
    }

    /// The text as a word of fish in single quotes, in which a backslash escapes only itself and the quote.
    private static func quoted(_ text: String) -> String { "'" + text.escaping(#"\'"#) + "'" }

    private static func doubleQuoted(_ text: String) -> String { "\"" + text.escaping(#"\"$"#) + "\"" }
}

extension ValueKind {
    /// Whether only some files are offered.
    fileprivate var hasExtensions: Bool {
        if case .file(let extensions) = self { return !extensions.isEmpty }
        return false
    }
}
