// SPDX-License-Identifier: MIT

/// The completion script of a tool for zsh: a function that `compinit` finds in a folder of `fpath`.
struct ZshCompletion {
    private let parser: OptionParser
    private var tool: String { parser.toolName }

    /// The characters that end a part of a specification.
    private static let special = #"\[]:"#

    init(_ parser: OptionParser) { self.parser = parser }

    var script: String {
        """
        #compdef \(tool)
        # Completion of \(tool) for zsh, written by '\(tool) --generate-completion=zsh'.

        \(wordLists)\(listing)_\(tool)() {
            _arguments -s -S -C \\
                \(specifications.joined(separator: " \\\n        "))
        }

        if [[ $funcstack[1] == _\(tool) ]]; then _\(tool) "$@"; else compdef _\(tool) \(tool); fi

        """
    }

    private var specifications: [String] {
        let operands = parser.operandKind
        let operand =
            operands.isOffered
            ? ["'*:\(operandName.escaping(Self.special)):\(action(operands, option: ""))'"] : []
        return parser.options.map(specification) + operand
    }

    private var operandName: String { String(parser.operandUsage.prefix { $0 != "." }) }

    private func specification(_ option: CommandOption) -> String {
        let (shortSuffix, longSuffix) =
            switch option.value {
            case .none: ("", "")
            case .required: ("+", "=")
            case .optional: ("-", "=-")
            }
        let long = "--\(option.long)"
        let help = "[\(option.shortHelp.escaping(Self.special))]\(message(option))"
        guard let short = option.short.map({ "-\($0)" }) else {
            let prefix = option.isRepeatable ? "*" : ""
            return "\(prefix + long + longSuffix)\(help)".shellQuoted
        }
        let excluded = option.isRepeatable ? "*" : "(\(short) \(long))"
        return "'\(excluded)'{\(short)\(shortSuffix),\(long)\(longSuffix)}\(help.shellQuoted)"
    }

    /// The part of a specification that describes the value, and completes it.
    private func message(_ option: CommandOption) -> String {
        guard let name = option.value.name else { return "" }
        let colons = if case .optional = option.value { "::" } else { ":" }
        let hint = option.kind == .time ? " (90, 1:30, 500ms, 2h)" : ""
        return "\(colons)\((name + hint).escaping(Self.special)):\(action(option.kind, option: option.long))"
    }

    /// A leading space keeps `_arguments` from adding arguments to a function.
    private func action(_ kind: ValueKind, option: String) -> String {
        switch kind {
        case .text, .number, .time: return " "
        case .file(let extensions) where extensions.isEmpty: return "_files"
        case .file(let extensions): return "_files -g \"*.(#i)(\(extensions.joined(separator: "|")))(-.)\""
        case .folder: return "_files -/"
        case .words: return " _\(tool)_words_\(option)"
        case .listed(nil): return " _\(tool)_listed \(option)"
        case .listed(let prefix?): return " _\(tool)_listed \(option) \(prefix.escaping(":"))"
        }
    }

    /// A function for each choice of words.
    private var wordLists: String {
        let choices =
            parser.options.map { ($0.long, $0.value.name ?? "", $0.kind) } + [
                ("", operandName, parser.operandKind)
            ]
        return choices.compactMap { option, name, kind in
            guard case .words(let words) = kind else { return nil }
            let lines = words.map { word in
                "        "
                    + [word.text.escaping(":"), word.help].filter { !$0.isEmpty }
                    .joined(separator: ":").shellQuoted
            }
            return """
                _\(tool)_words_\(option)() {
                    local -a words=(
                \(lines.joined(separator: "\n"))
                    )
                    _describe -t values \(name.shellQuoted) words
                }


                """
        }.joined()
    }

    private var listing: String {
        guard parser.options.contains(where: \.kind.isListed) else { return "" }
        return #"""
            # Offers what the tool lists for an option: OPTION [PREFIX]. After the prefix follows a path.
            _\#(tool)_listed() {
                local -a lines whole=() begun=()
                local line word
                if [[ -n $2 ]] && compset -P "$2"; then
                    _files
                    return
                fi
                lines=(${(f)"$(_call_program values \#(tool) --generate-values=$1 2>/dev/null)"})
                for line in $lines; do
                    word=${line%%$'\t'*}
                    line=${word//:/\\:}:${line#*$'\t'}
                    if [[ $word == *= ]]; then begun+=($line); else whole+=($line); fi
                done
                _describe -t values $1 whole -- begun -S ''
            }


            """#
    }
}
