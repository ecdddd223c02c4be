// SPDX-License-Identifier: MIT

/// Suggestions for mistyped options.
extension OptionParser {
    func unknown(_ spelling: String, suggestion: String?) -> UsageError {
        if let suggestion { return UsageError("unknown option '\(spelling)'; did you mean '\(suggestion)'?") }
        return UsageError("unknown option '\(spelling)'; '\(toolName) --help' lists the options")
    }

    /// The nearest long option: one that begins like `name`, or differs by a few typing errors.
    func longSuggestion(for name: String) -> String? {
        let limit = max(1, name.utf8.count / 3)
        var nearest: (name: String, distance: Int)?
        for option in options {
            let isAbbreviation = name.utf8.count >= 2 && option.long.utf8.starts(with: name.utf8)
            let distance = isAbbreviation ? 0 : Self.editDistance(name, option.long)
            if distance <= limit && distance < nearest?.distance ?? .max {
                nearest = (option.long, distance)
            }
        }
        return nearest.map { "--\($0.name)" }
    }

    /// A long option written with one dash, or the same letter in the other case.
    func shortSuggestion(for argument: String, _ letter: Character) -> String? {
        let name = argument.dropFirst().prefix { $0 != "=" }
        if name.utf8.count > 2, let long = longSuggestion(for: String(name)) { return long }
        return options.compactMap(\.short).first { $0.lowercased() == letter.lowercased() }.map { "-\($0)" }
    }

    /// The number of insertions, deletions, replacements and swaps of neighbours between two words (optimal
    /// string alignment).
    static func editDistance(_ first: String, _ second: String) -> Int {
        let a = Array(first.utf8.prefix(64))
        let b = Array(second.utf8.prefix(64))
        var beforeLast = [Int](repeating: 0, count: b.count + 1)
        var last = Array(0...b.count)
        for i in 0..<a.count {
            var row = [i + 1]
            for j in 0..<b.count {
                let isSame = a[i] == b[j]
                var best = min(last[j + 1] + 1, row[j] + 1, last[j] + (isSame ? 0 : 1))
                if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                    best = min(best, beforeLast[j - 1] + 1)
                }
                row.append(best)
            }
            beforeLast = last
            last = row
        }
        return last[b.count]
    }
}
