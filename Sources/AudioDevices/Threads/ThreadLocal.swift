import Glibc

/// An object for each thread that has set one. The thread has to keep it alive until it ends.
@safe struct ThreadLocal<Object: AnyObject>: Sendable {
    // SAFETY: the threads that set an object never end before it.
    private let key: pthread_key_t

    init() {
        var key = pthread_key_t()
        unsafe pthread_key_create(&key, nil)
        self.key = key
    }

    /// Sets the calling thread's object.
    func set(_ object: Object) {
        unsafe pthread_setspecific(key, Unmanaged.passUnretained(object).toOpaque())
    }

    /// The calling thread's object; nil if it has none.
    var current: Object? {
        unsafe pthread_getspecific(key).map { unsafe Unmanaged<Object>.fromOpaque($0).takeUnretainedValue() }
    }
}
