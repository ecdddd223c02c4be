// SPDX-License-Identifier: MIT

import Synchronization

/// A number that several threads count and read.
public final class Tally: Sendable {
    private let number: Atomic<Int>

    public init(_ number: Int = 0) { self.number = Atomic(number) }

    public var now: Int {
        get { number.load(ordering: .sequentiallyConsistent) }
        set { number.store(newValue, ordering: .sequentiallyConsistent) }
    }

    /// Adds `count`, and returns the sum.
    @discardableResult
    public func add(_ count: Int = 1) -> Int { number.add(count, ordering: .sequentiallyConsistent).newValue }
}
