import AudioDevices
import CRealTime

/// Calls that wait for the device.
extension OutputCore {
    /// Waits while `condition` holds, at most until `deadline`.
    ///
    /// If the client's code occupies the thread that takes the device's events, this call takes them. In the client's
    /// code on the device's own thread, it lets the device work.
    func wait(until deadline: UInt64, while condition: (inout OutputState) -> Bool) {
        if let thread = path.deviceThread, thread.isCurrent {
            while monitor.withLock({ condition(&$0) }), aq_host_time() < deadline {
                thread.takeTurn(until: deadline)
            }
            return
        }
        repeat {
            var path: OutputPath?
            _ = monitor.wait(until: deadline) { state in
                guard condition(&state) else { return false }
                guard state.isThreadInCallback, !state.isCallTaking else { return true }
                state.isCallTaking = true
                path = state.path
                return false
            }
            guard let path else { return }
            path.feed.waitForNotice(until: deadline)
            locked { state in
                state.isCallTaking = false
                takeEvents(of: path, &state)
                handOn(&state)
                drainWhenHandedOn(&state)
            }
            // The queue's thread may have been woken for what this call has taken.
            path.feed.wake()
        } while aq_host_time() < deadline
    }
}

extension OutputState {
    /// Whether the queue's own thread, which takes the device's events, runs the client's code.
    fileprivate var isThreadInCallback: Bool {
        delivery.isDelivering && path.context == nil && path.deviceThread == nil && !path.isOffline
            && path.threads.takeNotices
    }
}
