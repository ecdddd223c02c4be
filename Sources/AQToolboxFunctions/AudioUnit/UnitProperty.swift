// SPDX-License-Identifier: MIT

import AQUnits
import CAQAudioToolbox

/// The place of a property: its number, scope and element.
struct UnitProperty: Hashable, Sendable {
    var id: AudioUnitPropertyID
    var scope: AudioUnitScope
    var element: AudioUnitElement

    init(_ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement) {
        (self.id, self.scope, self.element) = (id, scope, element)
    }
}

/// The bytes of a property's new value, valid during the client's call; none removes the value.
@safe struct UnitPropertyData {
    // SAFETY: the client guarantees the bytes until its call returns, and they are not kept longer.
    let bytes: UnsafeRawBufferPointer

    init(_ data: UnsafeRawPointer?, _ size: UInt32) {
        unsafe bytes = UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : Int(size))
    }

    var isEmpty: Bool { unsafe bytes.isEmpty }

    /// The bytes as a number, or a published struct of numbers or pointers.
    ///
    /// - Throws: ``UnitError/Code/invalidPropertyValue`` if there are too few bytes.
    func value<Value: BitwiseCopyable>(as type: Value.Type = Value.self) throws(UnitError) -> Value {
        guard unsafe bytes.count >= MemoryLayout<Value>.size else {
            throw UnitError(.invalidPropertyValue, "a value of \(unsafe bytes.count) bytes")
        }
        // SAFETY: the size was checked, and any alignment is allowed; any bits are a value of these types.
        return unsafe bytes.loadUnaligned(as: Value.self)
    }

    /// The bytes as an array.
    func values<Value: BitwiseCopyable>(as type: Value.Type = Value.self) -> [Value] {
        let count = unsafe bytes.count / MemoryLayout<Value>.stride
        return (0..<count).map {
            // SAFETY: the index is in range, as for `value()`.
            unsafe bytes.loadUnaligned(fromByteOffset: $0 * MemoryLayout<Value>.stride, as: Value.self)
        }
    }
}
