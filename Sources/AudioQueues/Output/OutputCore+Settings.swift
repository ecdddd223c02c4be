// SPDX-License-Identifier: MIT

import AQDevices
import CAQRealTime
import CoreAudioTypes

/// Settings of a queue, most of which require a stopped queue.
extension OutputCore {
    func setDevice(_ device: any OutputDevice) throws(QueueError) {
        try replan { (plan: inout OutputPath.Plan) throws(QueueError) -> Bool in
            plan.device = device
            // The assignments name channels of the previous device.
            plan.channelAssignments = []
            return true
        } then: { state in
            announceDevice(&state)
        }
    }

    /// Calls the listeners of the device property, even if the queue never ran.
    private func announceDevice(_ state: inout OutputState) {
        // Without a listener, the event would wait until threads are started.
        guard !state.client.listeners(for: .device).isEmpty else { return }
        state.delivery.add(.changed(.device))
        // If threads cannot be started now, a later start of threads calls the listeners.
        do throws(QueueError) { try startThreads(&state) } catch {}
    }

    func setChannelLabels(_ labels: [AudioChannelLabel]) throws(QueueError) {
        try replan { (plan: inout OutputPath.Plan) throws(QueueError) -> Bool in
            guard labels.count == plan.channelLabels.count else {
                throw QueueError(
                    .invalidPropertyValue,
                    "cannot give \(labels.count) labels to \(plan.channelLabels.count) channels")
            }
            defer { plan.channelLabels = labels }
            return plan.channelLabels != labels
        }
    }

    func setChannelAssignments(_ assignments: [ChannelAssignment]) throws(QueueError) {
        let channels = Int(format.mChannelsPerFrame)
        guard assignments.isEmpty || assignments.count == channels else {
            throw QueueError(
                .invalidPropertyValue,
                "cannot send \(channels) channels to \(assignments.count) of a device")
        }
        let name = assignments.first?.deviceName
        guard assignments.allSatisfy({ $0.deviceName == name }) else {
            throw QueueError(.invalidPropertyValue, "cannot send channels to several devices")
        }
        guard assignments.allSatisfy({ $0.channelNumber > 0 && $0.channelNumber <= 32 }) else {
            throw QueueError(.invalidDevice, "cannot send channels to others than the device's 1 to 32")
        }
        let grantedName = stream.granted?.deviceName
        try replan { (plan: inout OutputPath.Plan) throws(QueueError) -> Bool in
            guard name == nil || name == plan.device.name || name == grantedName else {
                throw QueueError(
                    .invalidDevice, "cannot send channels to '\(name ?? "")': the queue has another device")
            }
            defer { plan.channelAssignments = assignments }
            return plan.channelAssignments != assignments
        }
    }

    func setDecodeAhead(frames: Int) throws(QueueError) {
        let seconds = (Double(frames) / format.mSampleRate).clamped(to: OutputCore.decodeAheadRange)
        let hasDecoder = cursor != nil
        try replan { (plan: inout OutputPath.Plan) throws(QueueError) -> Bool in
            defer { plan.decodeAheadSeconds = seconds }
            return hasDecoder && plan.decodeAheadSeconds != seconds
        }
    }

    func installTap(_ tap: QueueTap) throws(QueueError) {
        try replan { (plan: inout OutputPath.Plan) throws(QueueError) -> Bool in
            guard plan.tap == nil else { throw QueueError(.tooManyTaps) }
            plan.tap = tap
            return true
        }
    }

    func removeTap() throws(QueueError) {
        try replan { (plan: inout OutputPath.Plan) throws(QueueError) -> Bool in
            defer { plan.tap = nil }
            return plan.tap != nil
        }
    }

    func setTimePitchEnabled(_ isEnabled: Bool) throws(QueueError) {
        try replan { (plan: inout OutputPath.Plan) throws(QueueError) -> Bool in
            let isChanged = plan.isTimePitchEnabled != isEnabled
            plan.isTimePitchEnabled = isEnabled
            // Varispeed does not require a stretcher.
            if isEnabled, isChanged,
                fixture.makeStretcher?(format.mSampleRate, Int(format.mChannelsPerFrame), plan.algorithm)
                    == nil
            {
                plan.algorithm = .varispeed
            }
            return isChanged
        }
    }

    func setTimePitchAlgorithm(_ algorithm: TimePitchAlgorithm) throws(QueueError) {
        try replan { (plan: inout OutputPath.Plan) throws(QueueError) -> Bool in
            guard plan.isTimePitchEnabled else {
                throw QueueError(
                    .invalidRunState, "cannot choose how time is stretched unless that is enabled")
            }
            defer { plan.algorithm = algorithm }
            return plan.algorithm != algorithm
        }
    }

    func setOfflineRendering(_ wanted: OutputPath.OfflineFormat?) throws(QueueError) {
        try replan { (plan: inout OutputPath.Plan) throws(QueueError) -> Bool in
            let isChanged = wanted != nil || plan.offline != nil
            plan.offline = wanted
            return isChanged
        }
    }

    /// Waits until the device of a started queue runs or has failed, at most two seconds.
    func awaitStart() throws(QueueError) {
        guard !CallbackScope.isCurrent else { return }
        wait(until: CallDeadline.fromNow) { state in
            // A failure is complete once all buffers are returned: then the queue can be changed and started again.
            if state.status.failure != nil { return !state.resets.isEmpty }
            guard state.machine.state == .running else { return false }
            // The device may still run because of a pending stop.
            guard !state.status.isRunning || state.isStopPending else { return false }
            return state.requests.startHostTime.map { $0 <= aq_host_time() } ?? true
        }
        if let failure = monitor.withLock({ $0.status.failure }) { throw failure }
    }
}
