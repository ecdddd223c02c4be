// SPDX-License-Identifier: MIT

/// A table in Markdown. The first column is aligned left, the others right.
public struct MarkdownTable: Sendable {
    private let header: [String]
    private var rows: [[String]] = []

    public init(_ header: [String]) { self.header = header }

    public var isEmpty: Bool { rows.isEmpty }

    /// Adds a row. Missing cells are empty.
    public mutating func add(_ cells: [String]) {
        let all = cells + [String](repeating: "", count: max(0, header.count - cells.count))
        rows.append(all.map { $0.replacing("|", with: "\\|").replacing("\n", with: " ") })
    }

    public var text: String {
        let rule = header.indices.map { $0 == 0 ? "---" : "---:" }
        return ([header, rule] + rows).map { "| " + $0.joined(separator: " | ") + " |" }
            .joined(separator: "\n") + "\n"
    }
}
