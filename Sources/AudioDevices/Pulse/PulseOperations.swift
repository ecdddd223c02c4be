import CPulse

/// Questions to the server whose answers call back: kept, so that their owner can call the answers off.
///
/// An answer may still come between a stream's disconnection and the server's word that it is done, when the
/// object that asked is gone or uses another stream.
@safe struct PulseOperations {
    private var pending: [OpaquePointer] = unsafe []

    /// Takes over an operation's reference, and lets go of those that were answered.
    mutating func append(_ operation: OpaquePointer?) {
        unsafe pending.removeAll { pending in
            guard unsafe pa_operation_get_state(pending) != PA_OPERATION_RUNNING else { return false }
            unsafe pa_operation_unref(pending)
            return true
        }
        if let operation = unsafe operation { unsafe pending.append(operation) }
    }

    /// Has no answer call back any more that is still to come.
    mutating func callOff() {
        while let operation = unsafe pending.popLast() {
            unsafe pa_operation_cancel(operation)
            unsafe pa_operation_unref(operation)
        }
    }

    /// Lets go of an operation whose answer, if there is one, may come at any time.
    static func release(_ operation: OpaquePointer?) {
        if let operation = unsafe operation { unsafe pa_operation_unref(operation) }
    }
}
