// SPDX-License-Identifier: MIT

public import Testing

/// Checks that a value equals the expected one, and reports both if it does not.
///
/// It stands for `#expect(actual == expected)`, whose expansion takes several times as long to compile.
public func expectEqual<Value: Equatable>(
    _ actual: Value, _ expected: Value, _ comment: @autoclosure () -> Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    guard actual != expected else { return }
    let values = "found \(text(of: actual)), expected \(text(of: expected))"
    Issue.record(
        Comment(rawValue: comment().map { "\($0.rawValue): \(values)" } ?? values),
        sourceLocation: sourceLocation)
}

/// The value as text, of which a long sequence of samples shows only the beginning.
private func text(of value: some Any) -> String {
    let text = String(reflecting: value)
    return text.count <= 1_000 ? text : "\(text.prefix(1_000))…"
}
