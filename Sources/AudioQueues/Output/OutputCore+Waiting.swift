import AudioDevices
import CRealTime

/// Calls that wait for the device.
extension OutputCore {
    /// Waits while `condition` holds, at most until `deadline`.
    ///
    /// If the client's code occupies the thread that takes the device's events, this call takes them. On a device's
    /// thread that runs the client's code, it lets that device work meanwhile.
    func wait(until deadline: UInt64, while condition: (inout OutputState) -> Bool) {
        if let thread = ServingThread.current {
            while monitor.withLock({ condition(&$0) }), aq_host_time() < deadline {
                // Other queues' events do not wake this thread.
                thread.takeTurn(until: min(deadline, aq_host_time() + 1_000_000))
                locked { if $0.isThreadInCallback { takeEventsForCall(&$0) } }
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
            let hasTaken = locked { state in
                state.isCallTaking = false
                return takeEventsForCall(&state)
            }
            // The queue's thread may have been woken for what this call has taken.
            if hasTaken { path.feed.wake() }
        } while aq_host_time() < deadline
    }

    /// - Returns: Whether there was an event.
    @discardableResult private func takeEventsForCall(_ state: inout OutputState) -> Bool {
        let hasTaken = takeEvents(of: state.path, &state)
        handOn(&state)
        drainWhenHandedOn(&state)
        return hasTaken
    }
}

extension OutputState {
    /// Whether the queue's own thread, which takes the device's events, runs the client's code.
    fileprivate var isThreadInCallback: Bool {
        delivery.isDelivering && path.context == nil && path.deviceThread == nil && !path.isOffline
            && path.threads.takeNotices
    }
}
