import CPulse

/// A question that was sent to a server.
struct PulseOperation {
    @safe enum Handle {
        // SAFETY: has a reference to libpulse's operation, which `release()` gives up.
        case libpulse(OpaquePointer)
        case recorder(Unmanaged<PulseRecorder>, number: Int)
    }

    private let handle: Handle
    /// What libpulse has a pointer to.
    private let kept: AnyObject?

    init(_ handle: Handle, keeping kept: AnyObject? = nil) {
        self.handle = handle
        self.kept = kept
    }

    /// Whether the answer is still to come.
    var isPending: Bool {
        switch handle {
        case .libpulse(let operation): unsafe pa_operation_get_state(operation) == PA_OPERATION_RUNNING
        case .recorder(let recorder, let number):
            unsafe recorder._withUnsafeGuaranteedRef { $0.isPending(number) }
        }
    }

    /// Has the answer not call back any more.
    func cancel() {
        switch handle {
        case .libpulse(let operation): unsafe pa_operation_cancel(operation)
        case .recorder(let recorder, let number):
            unsafe recorder._withUnsafeGuaranteedRef { $0.cancel(number) }
        }
    }

    func release() {
        if case .libpulse(let operation) = handle { unsafe pa_operation_unref(operation) }
    }

    /// Lets go of an operation of libpulse's that calls nobody back.
    static func release(_ operation: OpaquePointer?) {
        if let operation = unsafe operation { unsafe pa_operation_unref(operation) }
    }
}

/// Questions whose answers call back: kept, so that their owner can call the answers off.
///
/// An answer may still come between a stream's disconnection and the server's word that it is done, when the
/// object that asked is gone or uses another stream.
struct PulseOperations {
    private var pending: [PulseOperation] = []

    /// Keeps a question, and lets go of those that were answered.
    mutating func append(_ operation: PulseOperation?) {
        pending.removeAll { pending in
            if pending.isPending { return false }
            pending.release()
            return true
        }
        if let operation { pending.append(operation) }
    }

    /// Has no answer call back any more that is still to come.
    mutating func callOff() {
        while let operation = pending.popLast() {
            operation.cancel()
            operation.release()
        }
    }
}
