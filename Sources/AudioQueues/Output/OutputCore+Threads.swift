import AudioDevices

/// The threads that serve a queue's path.
extension OutputCore {
    /// A slot for real-time callbacks, if the queue's latency requires it and one is free.
    private func takeRealTimePlace(for path: OutputPath) -> RealTimePlace? {
        guard path.latency == .buffers else { return nil }
        return family.realTimePlaces.take()
    }

    /// Raises the calling thread's priority, if its delays would be audible.
    ///
    /// - Parameter place: The slot for real-time priority, held for the thread's lifetime.
    /// - Returns: The real-time priority, if granted, which must be taken back during slow callbacks.
    private func askForPriority(_ path: OutputPath, _ place: RealTimePlace?) -> PriorityRequest? {
        guard path.latency.isUrgent else { return nil }
        ThreadPriority.makeHigh()
        guard place != nil else { return nil }
        let request = ThreadPriority.makeRealTimeForCallbacks()
        return request.answer == .granted ? request : nil
    }

    /// Starts the threads of the queue's path when they are first needed.
    func startThreads(_ state: inout OutputState) throws(QueueError) {
        try startThreads(of: state.path, &state)
    }

    /// The same for a path that will become the queue's.
    func startThreads(of path: OutputPath, _ state: inout OutputState) throws(QueueError) {
        guard !path.threads.areStarted else { return }
        if path.isOffline {
            // The threads that render are sufficient.
            path.threads.areStarted = true
            return
        }
        // A client's context serves the queue for its whole life, the path's own only that path.
        let toBegin = path.ownsContext || !state.isContextBegun ? path.context : nil
        if let toBegin { try toBegin.begin { [self] in deliverNext() } }
        do throws(QueueError) {
            try startEngineThread(of: path)
            path.threads.takeNotices = true
        } catch {
            toBegin?.end()
            throw error
        }
        if let toBegin {
            if !path.ownsContext { state.isContextBegun = true }
            // Earlier events did not schedule it.
            if !state.delivery.isEmpty { toBegin.schedule() }
        }
        path.threads.areStarted = true
    }

    private func startEngineThread(of path: OutputPath) throws(QueueError) {
        guard path.context == nil else {
            try QueueThread.start(named: "aq engine") { [self] in
                runEngine(path, priority: askForPriority(path, nil))
            }
            return
        }
        guard let place = takeRealTimePlace(for: path) else {
            let threads = path.latency.isUrgent ? family.urgentThreads : family.unhurriedThreads
            try threads.serve(path.feed) { [self] in serve(path, willCallBack: $0) == .end }
            return
        }
        try QueueThread.start(named: "aq callbacks") { [self] in
            // Before this one requests priority, which its twin would inherit.
            startTwin(of: path, place)
            withExtendedLifetime(place) { runEngine(path, priority: askForPriority(path, place)) }
        }
    }

    /// Starts the second of two equal threads. The first does so, so that the device does not wait for both.
    private func startTwin(of path: OutputPath, _ place: RealTimePlace) {
        let isWanted = locked { state in !state.machine.isDisposed && state.path === path }
        guard isWanted else { return }
        // Without the lock: enqueueing the first buffers would otherwise wait for the thread's creation.
        do throws(QueueError) {
            try QueueThread.start(named: "aq callbacks") { [self] in
                withExtendedLifetime(place) { runEngine(path, priority: askForPriority(path, place)) }
            }
        } catch {
            locked { state in
                if state.path === path { fail(error, &state) }
            }
        }
    }
}
