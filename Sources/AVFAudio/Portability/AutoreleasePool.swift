// SPDX-License-Identifier: MIT

/// Calls a closure.
///
/// On Apple's systems this releases the objects of Objective-C that the closure has made. Here there are none.
public func autoreleasepool<Result: ~Copyable, Failure: Error>(
    invoking body: () throws(Failure) -> Result
) throws(Failure) -> Result {
    try body()
}
