// SPDX-License-Identifier: MIT

extension RandomAccessCollection where Index == Int {
    /// The index of the first element that is past a position, in ascending order; the end index if none is.
    func partitionIndex(isPast: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if isPast(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
