// SPDX-License-Identifier: MIT

/// Measures up to three times, until the result is the expected one, and returns the last result.
///
/// For audio of a latency of a few milliseconds: a virtual machine that stands still for longer causes an underrun.
public func undisturbed<Result>(
    _ measure: () throws -> Result, isExpected: (Result) throws -> Bool
) rethrows -> Result {
    for _ in 0..<2 {
        let result = try measure()
        if try isExpected(result) { return result }
    }
    return try measure()
}
