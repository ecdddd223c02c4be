// SPDX-License-Identifier: MIT

import AQDevices
import AudioQueues
import CoreFoundation

/// The context of callbacks on a client's run loop, which run while the loop runs in the client's mode.
///
/// One callback is one handled source. A program that runs its loop until a source was handled regains
/// control after each callback. A program that stops its loop in a callback leaves the loop before the next
/// one.
@safe final class RunLoopContext: CallbackContext, @unchecked Sendable {
    // SAFETY: run loops and their sources may be used from any thread; the rest is constant.
    private let runLoop: CFRunLoop
    private let mode: CFString
    private static let nameOfCommonModes = "kCFRunLoopCommonModes"
    /// The source; nil before the queue needs callbacks, and after its end.
    private let source = Monitor<CFRunLoopSource?>(nil)

    /// Makes a context, which retains the run loop until the queue's end.
    ///
    /// - Parameter mode: Nil for the common modes.
    init(_ runLoop: CFRunLoop, mode: CFString?) {
        self.runLoop = runLoop
        // QUIRK: a run loop recognises the common modes only by the address of their name.
        if let mode, HardwareText.read(mode) != RunLoopContext.nameOfCommonModes {
            self.mode = mode
        } else {
            self.mode = kCFRunLoopCommonModes
        }
    }

    /// The function of the source, which owns this object and releases the queue with it.
    private final class Performer: Sendable {
        private let deliver: @Sendable () -> Bool
        private let context: RunLoopContext

        init(_ deliver: @escaping @Sendable () -> Bool, _ context: RunLoopContext) {
            self.deliver = deliver
            self.context = context
        }

        func perform() {
            // Only the queue can report whether another callback is due. The queue is queried in the loop's next pass,
            // after the other waiting sources of this pass.
            if deliver() { context.schedule() }
        }
    }

    func begin(_ deliver: @escaping @Sendable () -> Bool) throws(QueueError) {
        let performer = unsafe Unmanaged.passRetained(Performer(deliver, self))
        var context = unsafe CFRunLoopSourceContext()
        unsafe context.info = performer.toOpaque()
        unsafe context.release = { info in
            guard let info = unsafe info else { return }
            unsafe Unmanaged<Performer>.fromOpaque(info).release()
        }
        unsafe context.perform = { info in
            guard let info = unsafe info else { return }
            unsafe Unmanaged<Performer>.fromOpaque(info).takeUnretainedValue().perform()
        }
        guard let made = unsafe CFRunLoopSourceCreate(kCFAllocatorDefault, 0, &context) else {
            unsafe performer.release()
            throw QueueError(.outOfMemory)
        }
        source.withLock { $0 = made }
        CFRunLoopAddSource(runLoop, made, mode)
    }

    func schedule() {
        guard let source = source.withLock({ $0 }) else { return }
        CFRunLoopSourceSignal(source)
        CFRunLoopWakeUp(runLoop)
    }

    func end() {
        let ended = source.withLock { source in
            defer { source = nil }
            return source
        }
        // Outside the lock: the source releases its function, and possibly the queue.
        if let ended { CFRunLoopSourceInvalidate(ended) }
    }

    /// Whether this is the loop's thread: a call there that waits for callbacks must run them itself.
    var isCurrent: Bool { CFRunLoopGetCurrent() === runLoop }
}
