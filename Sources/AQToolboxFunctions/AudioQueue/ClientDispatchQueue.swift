// SPDX-License-Identifier: MIT

import CAQQueueDispatch
import Dispatch

/// A dispatch queue of a C program.
@safe final class CDispatchQueue: ClientDispatchQueue, @unchecked Sendable {
    // SAFETY: dispatch queues may be used from any thread, and the fields are constant. Making `serial`
    // retains `client` again, and both are released after the last block, since blocks keep the context.
    private let client: OpaquePointer
    /// A serial queue that targets the client's.
    private let serial: OpaquePointer

    /// - Parameter queue: The client's queue, which is retained.
    init(_ queue: OpaquePointer) {
        unsafe client = queue
        unsafe aq_dispatch_retain(queue)
        unsafe serial = aq_dispatch_queue_over(queue)
        unsafe aq_dispatch_mark(queue, key)
    }

    deinit {
        unsafe aq_dispatch_unmark(client, key)
        unsafe aq_dispatch_release(serial)
        unsafe aq_dispatch_release(client)
    }

    /// The key of this object on the client's queue: a unique address.
    private var key: UnsafeRawPointer { unsafe UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()) }

    func perform(on context: DispatchContext) {
        // SAFETY: the block releases the reference that is retained here.
        unsafe aq_dispatch_async(serial, Unmanaged.passRetained(context).toOpaque()) { context in
            guard let context = unsafe context else { return }
            unsafe Unmanaged<DispatchContext>.fromOpaque(context).takeRetainedValue().perform()
        }
    }

    var isCurrent: Bool { unsafe aq_dispatch_is_marked(key) }
}

/// A dispatch queue of a Swift program.
final class SwiftDispatchQueue: ClientDispatchQueue, @unchecked Sendable {
    // SAFETY: dispatch queues may be used from any thread, and the fields are constant.
    private let client: DispatchQueue
    /// A serial queue that targets the client's.
    private let serial: DispatchQueue
    private let key = DispatchSpecificKey<Bool>()

    init(_ queue: DispatchQueue) {
        client = queue
        serial = DispatchQueue(label: "aq callbacks", target: queue)
        queue.setSpecific(key: key, value: true)
    }

    deinit { client.setSpecific(key: key, value: nil) }

    func perform(on context: DispatchContext) { serial.async { context.perform() } }

    var isCurrent: Bool { DispatchQueue.getSpecific(key: key) ?? false }
}
