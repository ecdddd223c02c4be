// SPDX-License-Identifier: MIT

import AQDevices

/// The threads that serve a queue's path.
extension OutputCore {
    /// Starts the threads of the queue's path when they are first needed.
    func startThreads(_ state: inout OutputState) throws(QueueError) {
        try startThreads(of: state.path, &state)
    }

    /// Starts the threads of a path that will become the queue's.
    func startThreads(of path: OutputPath, _ state: inout OutputState) throws(QueueError) {
        guard !path.threads.areStarted else { return }
        if path.isOffline {
            // The threads that call to render are sufficient.
            path.threads.areStarted = true
            return
        }
        // A client's context serves the queue for its whole life. A path's own context serves only that path.
        let toBegin = path.ownsContext || !state.isContextBegun ? path.context : nil
        if let toBegin { try toBegin.begin { [self] in deliverNext() } }
        do throws(QueueError) {
            try startEngineThread(of: path)
            path.threads.takeEvents = true
        } catch {
            toBegin?.end()
            throw error
        }
        if let toBegin {
            if !path.ownsContext { state.isContextBegun = true }
            // Earlier events did not schedule this context.
            if !state.delivery.isEmpty { toBegin.schedule() }
        }
        path.threads.areStarted = true
    }

    private func startEngineThread(of path: OutputPath) throws(QueueError) {
        if let deviceThread = path.deviceThread {
            deviceThread.serve(path.feed) { [self] in serve(path) == .wait }
            return
        }
        try QueueThread.start(named: path.context == nil ? "aq callbacks" : "aq engine") { [self] in
            if path.latency.isUrgent { ThreadPriority.makeHigh() }
            runEngine(path)
        }
    }
}
