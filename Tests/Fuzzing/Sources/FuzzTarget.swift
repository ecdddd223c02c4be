/// What inputs are given to.
protocol FuzzTarget: AnyObject {
    /// Does with an input what a program might, and checks what comes of it.
    ///
    /// - Returns: False if the input is for other targets.
    func test(_ input: [UInt8]) -> Bool
}

/// Ends the process, for libFuzzer to report the input, if something that always holds does not.
///
/// A `precondition` would not say which, since the targets are built for speed.
func require(_ condition: Bool, _ rule: @autoclosure () -> String, line: UInt = #line) {
    if !condition { fatalError("violated: \(rule())", line: line) }
}
