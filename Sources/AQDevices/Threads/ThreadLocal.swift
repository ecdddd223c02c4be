// SPDX-License-Identifier: MIT

import Glibc

/// An object for each thread that has set one. The thread must keep the object alive until the thread ends.
@safe package struct ThreadLocal<Object: AnyObject>: Sendable {
    // SAFETY: a thread that sets an object keeps the object alive until the thread ends.
    private let key: pthread_key_t

    package init() {
        var key = pthread_key_t()
        unsafe pthread_key_create(&key, nil)
        self.key = key
    }

    /// Sets the calling thread's object; nil for none.
    package func set(_ object: Object?) {
        unsafe pthread_setspecific(key, object.map { unsafe Unmanaged.passUnretained($0).toOpaque() })
    }

    /// The calling thread's object; nil if it has none.
    package var current: Object? {
        unsafe pthread_getspecific(key).map { unsafe Unmanaged<Object>.fromOpaque($0).takeUnretainedValue() }
    }
}
