// SPDX-License-Identifier: MIT

import Glibc

/// A number that each thread has of its own; 0 at first. Used without locks or memory allocation.
package struct ThreadCount: Sendable {
    /// Nil if the process has no key left: the number is then always 0.
    private let key: pthread_key_t?

    package init() {
        var key = pthread_key_t()
        self.key = unsafe pthread_key_create(&key, nil) == 0 ? key : nil
    }

    package var value: Int {
        get { key.map { Int(bitPattern: unsafe pthread_getspecific($0)) } ?? 0 }
        nonmutating set {
            if let key { unsafe _ = pthread_setspecific(key, UnsafeRawPointer(bitPattern: newValue)) }
        }
    }
}
