// SPDX-License-Identifier: MIT

import CAQAudioToolbox

/// The readers of a property's new value in a client's memory of any alignment.
enum PropertyInput {
    /// Reads a value of exactly this size.
    ///
    /// - Throws: `badSize` for another size.
    @unsafe
    static func value<Value: BitwiseCopyable>(
        _ type: Value.Type = Value.self, in bytes: UnsafeRawBufferPointer, badSize: OSStatus
    ) throws(StatusError) -> Value {
        guard bytes.count == MemoryLayout<Value>.size else { throw StatusError(badSize) }
        // SAFETY: the size was checked, and any bits are a value of a number or of a published structure.
        return unsafe bytes.loadUnaligned(as: type)
    }

    /// Reads a list of this many elements; nil for another size.
    @unsafe
    static func list<Element: BitwiseCopyable>(
        of type: Element.Type = Element.self, count: Int, in bytes: UnsafeRawBufferPointer
    ) -> [Element]? {
        let stride = MemoryLayout<Element>.stride
        let (expected, overflow) = count.multipliedReportingOverflow(by: stride)
        guard !overflow, bytes.count == expected else { return nil }
        var elements: [Element] = []
        elements.reserveCapacity(count)
        for index in 0..<count {
            // SAFETY: inside the bytes, and any bits are a value.
            elements.append(unsafe bytes.loadUnaligned(fromByteOffset: index * stride, as: type))
        }
        return elements
    }
}
