// SPDX-License-Identifier: MIT

/// The completion script of a tool for bash 4.4 or later. It needs no other script.
struct BashCompletion {
    private let parser: OptionParser
    private var tool: String { parser.toolName }

    init(_ parser: OptionParser) { self.parser = parser }

    var script: String {
        """
        # Completion of \(tool) for bash, written by '\(tool) --generate-completion=bash'.

        \(helpers)
        \(completer)
        complete -F _\(tool) \(tool)

        """
    }

    /// The functions that use the variables of the completer: `value` is the text to be completed, and `lead` the part
    /// of the word before it.
    private var helpers: String {
        #"""
        # Sets a variable to a word without its quotes: NAME WORD.
        _\#(tool)_unquote() {
            local rest=$2 plain=
            while [[ $rest ]]; do
                case $rest in
                    \\?*) plain+=${rest:1:1} rest=${rest:2} ;;
                    [\\\"\']*) rest=${rest:1} ;;
                    *) plain+=${rest:0:1} rest=${rest:1} ;;
                esac
            done
            printf -v "$1" %s "$plain"
        }

        # Offers those of the words that begin with the value.
        _\#(tool)_words() {
            local word
            for word; do
                [[ $word == "$value"* ]] || continue
                [[ $word == *= ]] && compopt -o nospace 2>/dev/null
                printf -v word %q "$word"
                COMPREPLY+=("$lead$word")
            done
        }

        # Offers what the tool lists for an option: OPTION [PREFIX]. After the prefix follows a path.
        _\#(tool)_listed() {
            local word words=()
            if [[ ${2-} && $value == "$2"* ]]; then
                lead+=$2 value=${value#"$2"}
                _\#(tool)_files ''
                return
            fi
            while IFS=$'\t' read -r word _; do
                words+=("$word")
            done < <(\#(tool) --generate-values="$1" 2>/dev/null)
            _\#(tool)_words "${words[@]}"
        }

        # Offers folders, and files with one of the extensions in a pattern: any for '', none for '/'.
        _\#(tool)_files() {
            local name path=$value found=
            [[ $path == '~/'* ]] && path=$HOME/${path:2}
            compopt -o filenames 2>/dev/null
            while IFS= read -r -d '' name; do
                [[ -d $name ]] || found=1
                [[ $value == '~/'* ]] && name='~/'${name#"$HOME/"}
                COMPREPLY+=("$lead$name")
            done < <(
                shopt -s nullglob
                for name in "$path"*; do
                    if [[ -d $name || -z $1 || ($1 != / && ${name,,} == *.@($1)) ]]; then printf '%s\0' "$name"; fi
                done
            )
            if [[ $1 && $1 != / && ! $found && ${#COMPREPLY[@]} -eq 0 ]]; then _\#(tool)_files ''; fi
        }

        """#
    }

    private var completer: String {
        #"""
        _\#(tool)() {
            local IFS=$' \t\n' line=${COMP_LINE:0:COMP_POINT} words=() word rest i
            COMPREPLY=()
            # Bash also splits words at '=' and ':'. Those without a space between them are joined.
            for ((i = 0; i <= COMP_CWORD; i++)); do
                word=${COMP_WORDS[i]}
                rest=${line#"${line%%[![:space:]]*}"}
                ((i < COMP_CWORD)) || word=$rest
                if ((i == 0)) || [[ $rest != "$line" ]]; then words+=("$word"); else words[-1]+=$word; fi
                line=${rest#"$word"}
            done
            local last=${#words[@]}-1 current=${words[-1]} option= isEnded= lead= value
            local previous=${words[last - 1]}
            # Bash replaces only the text after its last split.
            local kept=${current%"$rest"}
            if [[ $rest =~ ^[=:]+$ && $last -gt 0 ]]; then kept=$current; fi

            for word in "${words[@]:1:last-1}"; do
                if [[ $word == -- ]]; then isEnded=1; fi
            done
            if [[ $previous == -*([\#(flagLetters)])[\#(valueLetters)] ]]; then previous=-${previous: -1}; fi
            if [[ ! $isEnded && $current == --*=* ]]; then
                option=${current%%=*} value=${current#*=} lead=$option=
            elif [[ ! $isEnded && $last -gt 1 ]]; then
                case $previous in
                    \#(pattern(requiringValue)))
                        option=$previous value=$current
                        ;;
                esac
            fi
            if [[ $option ]]; then
                _\#(tool)_unquote value "$value"
                case $option in
        \#(valueCases)
                esac
            elif [[ ! $isEnded && $current == -* ]]; then
                _\#(tool)_options
            else
                _\#(tool)_unquote value "$current"
                \#(offer(parser.operandKind, option: ""))
            fi
            _\#(tool)_unquote kept "$kept"
            COMPREPLY=("${COMPREPLY[@]#"$kept"}")
        }

        # Offers the options that are not given, with the short form of each.
        _\#(tool)_options() {
            local name short
            while read -r name short; do
                [[ $name == "$current"* ]] || continue
                for word in "${words[@]:1:last-1}"; do
                    [[ $word == "${name%=}" || $word == "${name%=}"=* || ($short && $word == "$short"*) ]] && continue 2
                done
                [[ $name == *= ]] && compopt -o nospace 2>/dev/null
                COMPREPLY+=("$name")
            done <<'END'
        \#(optionLines)
        END
        }

        """#
    }

    private var optionLines: String {
        parser.options.map { option in
            let name = "--\(option.long)"
            let short = option.isRepeatable ? "" : option.short.map { " -\($0)" } ?? ""
            return switch option.value {
            case .none: name + short
            case .required: "\(name)=\(short)"
            case .optional: "\(name)\(short)\n\(name)=\(short)"
            }
        }.joined(separator: "\n")
    }

    private var requiringValue: [CommandOption] { parser.options.filter(\.requiresValue) }

    /// The letters of options without a value, for a bracket expression.
    private var flagLetters: String { letters { $0.value == .none } }

    private var valueLetters: String { letters(where: \.requiresValue) }

    /// A letter that no option has keeps the expression valid.
    private func letters(where isWanted: (CommandOption) -> Bool) -> String {
        let letters = parser.options.filter(isWanted).compactMap(\.short).map { String($0) }
        return letters.isEmpty ? "/" : letters.joined()
    }

    private func pattern(_ options: [CommandOption]) -> String {
        let names = options.flatMap { option in
            ["--\(option.long)"] + (option.short.map { ["-\($0)"] } ?? [])
        }
        return names.isEmpty ? "/" : names.joined(separator: " | ")
    }

    /// A branch for each option with values to offer.
    private var valueCases: String {
        parser.options.filter { $0.value != .none && $0.kind.isOffered }.map { option in
            "            \(pattern([option]))) \(offer(option.kind, option: option.long)) ;;"
        }.joined(separator: "\n")
    }

    private func offer(_ kind: ValueKind, option: String) -> String {
        switch kind {
        case .text, .number, .time: return option.isEmpty ? "_\(tool)_options" : ":"
        case .file(let extensions): return "_\(tool)_files \(extensions.joined(separator: "|").shellQuoted)"
        case .folder: return "_\(tool)_files /"
        case .words(let words):
            return "_\(tool)_words " + words.map(\.text.shellQuoted).joined(separator: " ")
        case .listed(let prefix):
            return "_\(tool)_listed \(option)" + (prefix.map { " " + $0.shellQuoted } ?? "")
        }
    }
}

extension CommandOption {
    var requiresValue: Bool {
        if case .required = value { return true }
        return false
    }
}

extension ValueKind {
    /// Whether values are offered.
    var isOffered: Bool {
        switch self {
        case .text, .number, .time: false
        case .file, .folder, .words, .listed: true
        }
    }
}
