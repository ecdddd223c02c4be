import AudioDevices
import AudioQueues
import CoreFoundation

/// Makes a queue's callbacks on a client's run loop, while that runs in the client's mode.
///
/// One callback is one handled source: a program that pumps its loop until a source was handled comes up for air after
/// each, and one that stops its loop in a callback is out of it before the next.
@safe final class RunLoopContext: CallbackContext, @unchecked Sendable {
    // SAFETY: run loops and their sources may be used from any thread; the rest is constant.
    private let runLoop: CFRunLoop
    private let mode: CFString
    private static let nameOfCommonModes = "kCFRunLoopCommonModes"
    /// Nil before the queue needs callbacks, and after its end.
    private let source = Monitor<CFRunLoopSource?>(nil)

    /// Names where callbacks are to be made. The run loop is retained until the queue's end.
    ///
    /// - Parameter mode: Nil for the common modes.
    init(_ runLoop: CFRunLoop, mode: CFString?) {
        self.runLoop = runLoop
        // QUIRK: a run loop knows the common modes by the address of their name alone.
        if let mode, HardwareText.read(mode) != RunLoopContext.nameOfCommonModes {
            self.mode = mode
        } else {
            self.mode = kCFRunLoopCommonModes
        }
    }

    /// What the source performs; the source owns it, and lets go of the queue with it.
    private final class Performer: Sendable {
        private let deliver: @Sendable () -> Bool
        private let context: RunLoopContext

        init(_ deliver: @escaping @Sendable () -> Bool, _ context: RunLoopContext) {
            self.deliver = deliver
            self.context = context
        }

        func perform() {
            // Whether there is another callback to make is known to the queue alone: asked for in the loop's next
            // round, and so after what else waits in this one.
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
            throw QueueError(.outOfMemory, "cannot make a source for the callbacks' run loop")
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
        // Outside the lock: with the source goes what it performs, and with that, maybe, the queue.
        if let ended { CFRunLoopSourceInvalidate(ended) }
    }

    /// A call that waits for callbacks on the loop's own thread has to make them itself.
    var isCurrent: Bool { CFRunLoopGetCurrent() === runLoop }
}
