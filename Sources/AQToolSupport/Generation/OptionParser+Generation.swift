// SPDX-License-Identifier: MIT

public import AQFiles

/// The options that `make install` and completion scripts use. `--help` does not list them.
extension OptionParser {
    /// The shells for which the tools write completion scripts.
    public enum Shell: String, CaseIterable, Sendable {
        case bash, zsh, fish
    }

    /// Returns the text that a command line of one of these options requests; nil for every other command line.
    ///
    /// `--generate-manual` is the manual page, `--generate-completion=SHELL` a completion script, and
    /// `--generate-values=OPTION` the values of an option whose kind is ``ValueKind/listed(filePrefix:)``: a line for
    /// each with the value, a tab, and its description.
    ///
    /// - Parameter listing: Returns the values of the option with a long name, as of now.
    /// - Throws: ``UsageError`` for an unknown shell or option.
    public func generatedText(
        for arguments: [FilePath], listing: (_ option: String) -> [ValueWord] = { _ in [] }
    ) throws(UsageError) -> String? {
        guard arguments.count == 1, let argument = arguments[0].string, argument.hasPrefix("--generate-")
        else {
            return nil
        }
        let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
        switch (parts[0], parts.count > 1 ? parts[1] : nil) {
        case ("--generate-manual", nil): return manualPage
        case ("--generate-completion", let name?):
            guard let shell = Shell(rawValue: name) else {
                let names = Shell.allCases.map(\.rawValue).joined(separator: ", ")
                throw UsageError("no completion for the shell '\(name)'; write one of \(names)")
            }
            return completionScript(for: shell)
        case ("--generate-values", let name?):
            guard options.contains(where: { $0.long == name && $0.kind.isListed }) else {
                throw UsageError("there is no list of values for '--\(name)'")
            }
            return Self.lines(of: listing(name))
        default: return nil
        }
    }

    private func completionScript(for shell: Shell) -> String {
        switch shell {
        case .bash: BashCompletion(self).script
        case .zsh: ZshCompletion(self).script
        case .fish: FishCompletion(self).script
        }
    }

    /// Values with characters that would end a line or control the terminal are left out.
    private static func lines(of words: [ValueWord]) -> String {
        words.filter { DisplayText.sanitized($0.text) == $0.text }
            .map { "\($0.text)\t\(DisplayText.sanitized($0.help))\n" }.joined()
    }
}

extension CommandOption {
    /// The first sentence of the help text, without its full stop, for completion.
    var shortHelp: String { help.firstSentence }
}

extension String {
    /// The text up to the first full stop that ends a sentence, without it.
    var firstSentence: String {
        var sentence: [Substring] = []
        for word in split(separator: " ") {
            guard !word.hasSuffix(".") else {
                sentence.append(word.dropLast())
                break
            }
            sentence.append(word)
        }
        return sentence.joined(separator: " ")
    }

    /// The text with a backslash before each of some characters.
    func escaping(_ characters: String) -> String {
        map { characters.contains($0) ? "\\\($0)" : String($0) }.joined()
    }

    /// The text as a word of POSIX shells in single quotes.
    var shellQuoted: String { "'" + map { $0 == "'" ? #"'\''"# : String($0) }.joined() + "'" }
}
