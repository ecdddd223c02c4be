// SPDX-License-Identifier: MIT

import Glibc

/// The number of units without a device that the calling thread renders within each other.
enum RenderingThread {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        // Without a key every thread counts as one that renders nothing.
        unsafe _ = pthread_key_create(&key, nil)
        return key
    }()

    static var depth: Int {
        get { Int(bitPattern: unsafe pthread_getspecific(key)) }
        set { unsafe _ = pthread_setspecific(key, UnsafeRawPointer(bitPattern: newValue)) }
    }
}
