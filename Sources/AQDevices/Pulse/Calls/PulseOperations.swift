// SPDX-License-Identifier: MIT

import CAQPulse

/// A question sent to a server.
struct PulseOperation {
    @safe enum Handle {
        // SAFETY: has a reference to libpulse's operation, which `release()` drops.
        case libpulse(OpaquePointer)
        case recorder(Unmanaged<PulseRecorder>, number: Int)
    }

    private let handle: Handle
    /// The object to which libpulse has a pointer.
    private let kept: AnyObject?

    init(_ handle: Handle, keeping kept: AnyObject? = nil) {
        self.handle = handle
        self.kept = kept
    }

    /// Whether the answer has not arrived.
    var isPending: Bool {
        switch handle {
        case .libpulse(let operation): unsafe pa_operation_get_state(operation) == PA_OPERATION_RUNNING
        case .recorder(let recorder, let number):
            unsafe recorder._withUnsafeGuaranteedRef { $0.isPending(number) }
        }
    }

    /// Cancels the callback.
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

    /// Releases an operation of libpulse without a callback.
    static func release(_ operation: OpaquePointer?) {
        if let operation = unsafe operation { unsafe pa_operation_unref(operation) }
    }
}

/// Pending questions with callbacks, kept so that their owner can cancel them.
///
/// An answer can arrive between a stream's disconnection and the server's confirmation, when the object that asked no
/// longer exists or uses another stream.
struct PulseOperations {
    private var pending: [PulseOperation] = []

    /// Keeps a question, and removes answered ones.
    mutating func append(_ operation: PulseOperation?) {
        pending.removeAll { pending in
            if pending.isPending { return false }
            pending.release()
            return true
        }
        if let operation { pending.append(operation) }
    }

    /// Cancels all pending answers.
    mutating func callOff() {
        while let operation = pending.popLast() {
            operation.cancel()
            operation.release()
        }
    }
}
