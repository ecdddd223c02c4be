// SPDX-License-Identifier: MIT

import AQDevices
import CAQRealTime

/// Calls that wait for the device.
extension OutputCore {
    /// Waits while `condition` holds, at most until `deadline`.
    ///
    /// Takes the device's events itself if the client's code occupies the thread that normally does. On a device's
    /// thread that runs the client's code, allows that device to work meanwhile, unless it renders a slice.
    func wait(until deadline: UInt64, while condition: (inout OutputState) -> Bool) {
        if let thread = ServingThread.current, thread.allowsTurn {
            while monitor.withLock({ condition(&$0) }), aq_host_time() < deadline {
                // Events of other queues do not wake this thread.
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
            path.feed.waitForEvent(until: deadline)
            let hasTaken = locked { state in
                state.isCallTaking = false
                return takeEventsForCall(&state)
            }
            // This call may have taken events for which the queue's thread was woken.
            if hasTaken { path.feed.wake() }
        } while aq_host_time() < deadline
    }

    /// Takes the device's events, passes on buffers, and returns whether there was an event.
    @discardableResult private func takeEventsForCall(_ state: inout OutputState) -> Bool {
        let hasTaken = takeEvents(of: state.path, &state)
        handOn(&state)
        drainWhenHandedOn(&state)
        return hasTaken
    }
}

extension OutputState {
    /// Whether the queue's own thread takes the device's events, but runs the client's code now.
    fileprivate var isThreadInCallback: Bool {
        delivery.isDelivering && path.context == nil && path.deviceThread == nil && !path.isOffline
            && path.threads.takeEvents
    }
}
