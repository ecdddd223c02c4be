// SPDX-License-Identifier: MIT

/// A target of the fuzzer.
protocol FuzzTarget: AnyObject {
    /// Processes an input like a program, and checks the result.
    ///
    /// - Returns: False if the input is for other targets.
    func test(_ input: [UInt8]) -> Bool
}

/// Ends the process, so that libFuzzer reports the input, if an invariant is violated.
///
/// A `precondition` would not name it, because the targets are optimised.
func require(_ condition: Bool, _ rule: @autoclosure () -> String, line: UInt = #line) {
    if !condition { fatalError("violated: \(rule())", line: line) }
}
