// SPDX-License-Identifier: MIT

import AQDevices

@testable import AudioQueues

func samples(_ bytes: [UInt8]) -> [Int16] {
    unsafe bytes.withUnsafeBytes { unsafe Array($0.bindMemory(to: Int16.self)) }
}

func counting(_ range: Range<Int>) -> [Int16] { range.map { Int16(truncatingIfNeeded: $0) } }

/// The values that a listener got, in order.
final class Seen<Value: Sendable>: Sendable {
    private let values = Monitor<[Value]>([])
    func add(_ value: Value) { values.withLock { $0.append(value) } }
    var all: [Value] { values.withLock { $0 } }
}

/// The code of the error that `body` throws; nil if none.
func code(_ body: () throws -> Void) -> QueueError.Code? {
    do {
        try body()
        return nil
    } catch {
        return (error as? QueueError)?.code
    }
}
