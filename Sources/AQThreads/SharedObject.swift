// SPDX-License-Identifier: MIT

import Glibc
import Synchronization

/// A reference to an object that threads read without a lock, while others replace it.
///
/// A reader that is interrupted within ``load()`` delays ``replace(_:)``, never another reader.
@safe package struct SharedObject<Object: AnyObject & Sendable>: ~Copyable, Sendable {
    /// The address of the object, which is retained here; 0 for none.
    private let address: Atomic<UInt>
    /// The number of threads between the load of the address and the retain of its object.
    private let readers = Atomic<Int>(0)

    package init(_ object: Object? = nil) { address = Atomic(Self.retained(object)) }

    deinit { unsafe Self.object(address.load(ordering: .acquiring))?.release() }

    private static func retained(_ object: Object?) -> UInt {
        guard let object else { return 0 }
        return UInt(bitPattern: unsafe Unmanaged.passRetained(object).toOpaque())
    }

    private static func object(_ address: UInt) -> Unmanaged<Object>? {
        unsafe UnsafeRawPointer(bitPattern: address).map { unsafe Unmanaged.fromOpaque($0) }
    }

    /// The object, retained. Any thread; never waits.
    package func load() -> Object? {
        // Both orders are total: a writer that sees no reader has replaced the address that later readers load.
        readers.wrappingAdd(1, ordering: .sequentiallyConsistent)
        defer { readers.wrappingSubtract(1, ordering: .releasing) }
        // SAFETY: `replace` does not return the object while readers are counted.
        return unsafe Self.object(address.load(ordering: .sequentiallyConsistent))?.takeUnretainedValue()
    }

    /// Replaces the object, and returns the earlier one. Any thread.
    ///
    /// Waits until no thread is within ``load()``, which takes microseconds unless one is interrupted there.
    @discardableResult
    package func replace(_ object: Object?) -> Object? {
        let old = address.exchange(Self.retained(object), ordering: .sequentiallyConsistent)
        // A sleep, since a reader of lower priority may have to run.
        while readers.load(ordering: .sequentiallyConsistent) > 0 { usleep(20) }
        return unsafe Self.object(old)?.takeRetainedValue()
    }
}
