// SPDX-License-Identifier: MIT

/// A part of a test's cases, spread evenly and the same each time; with AQ_LONG=1 all of them.
///
/// For cases that are many because each finds little: seeds, offsets in damaged files, times of a kill. The first is
/// always among them.
public func someCases<Cases: RandomAccessCollection>(_ count: Int, of all: Cases) -> [Cases.Element] {
    guard !Environment.isLong, count < all.count else { return Array(all) }
    return (0..<count).map { all[all.index(all.startIndex, offsetBy: $0 * all.count / count)] }
}
