import AudioDevices

/// The threads that serve a queue's path.
extension OutputCore {
    /// A place among those whose callbacks run in real time, if the queue's are to and there is one.
    private func takeRealTimePlace(for path: OutputPath) -> RealTimePlace? {
        guard path.latency == .buffers else { return nil }
        return family.realTimePlaces.take()
    }

    /// Has the calling thread run early, if what it is late by is heard.
    ///
    /// - Parameter place: What lets it run in real time; of use as long as the thread lives.
    /// - Returns: What it was granted beyond that, if anything, which must be taken back from code that lasts.
    private func askForPriority(_ path: OutputPath, _ place: RealTimePlace?) -> PriorityRequest? {
        guard path.latency.isUrgent else { return nil }
        ThreadPriority.makeHigh()
        guard place != nil else { return nil }
        let request = ThreadPriority.makeRealTimeForCallbacks()
        return request.answer == .granted ? request : nil
    }

    /// Starts the threads of the queue's path the first time that they are needed.
    func startThreads(_ state: inout OutputState) throws(QueueError) {
        try startThreads(of: state.path, &state)
    }

    /// The same for a path that is to be the queue's.
    func startThreads(of path: OutputPath, _ state: inout OutputState) throws(QueueError) {
        guard !path.threads.areStarted else { return }
        if path.isOffline {
            // Those who render are all that there are.
            path.threads.areStarted = true
            return
        }
        // A client's context serves the queue for all of its life, one of the path's own that path.
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
            // What there was to tell before was told to nobody.
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
            // Before this one asks for priority, which its twin would inherit.
            startTwin(of: path, place)
            withExtendedLifetime(place) { runEngine(path, priority: askForPriority(path, place)) }
        }
    }

    /// Starts the second of two threads that are alike. The first does so, that the device need not wait for both.
    private func startTwin(of path: OutputPath, _ place: RealTimePlace) {
        let isWanted = locked { state in !state.machine.isDisposed && state.path === path }
        guard isWanted else { return }
        // Without the lock: who enqueues the first buffers meanwhile would wait for a thread's making.
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
