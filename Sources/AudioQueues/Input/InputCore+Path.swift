// SPDX-License-Identifier: MIT

import AQDevices
import CoreAudioTypes

/// Changes of a recording's device and of the processing stages, while the queue is stopped.
extension InputCore {
    func setDevice(_ device: any InputDevice) throws(QueueError) {
        try rebuildPath(isOtherDevice: true) { (plan: inout InputPath.Plan) throws(QueueError) in
            plan.device = device
            plan.channelNumbers = nil
        }
    }

    func setChannelLabels(_ labels: [AudioChannelLabel]) throws(QueueError) {
        guard labels.count == Int(format.mChannelsPerFrame) else {
            throw QueueError(
                .invalidPropertyValue,
                "cannot give \(format.mChannelsPerFrame) channels \(labels.count) labels")
        }
        try rebuildPath { (plan: inout InputPath.Plan) throws(QueueError) in plan.channelLabels = labels }
    }

    /// - Throws: See ``InputQueue/setChannelAssignments(_:)``.
    func setChannelAssignments(_ assignments: [ChannelAssignment]) throws(QueueError) {
        guard let first = assignments.first else { return try setChannelNumbers(nil) }
        guard assignments.count == Int(format.mChannelsPerFrame) else {
            throw QueueError(
                .invalidPropertyValue,
                "cannot assign \(format.mChannelsPerFrame) channels to \(assignments.count)")
        }
        guard assignments.allSatisfy({ $0.deviceName == first.deviceName }) else {
            throw QueueError(.invalidPropertyValue, "cannot assign channels to more than one device")
        }
        // The state is checked before the wait for a device.
        try perform(.configure) { _ in }
        let path = path
        let granted = path.stream.granted
        guard first.deviceName == path.plan.device.name || first.deviceName == granted?.deviceName else {
            throw QueueError(
                .invalidDevice,
                "cannot assign channels to '\(first.deviceName)': the queue records from "
                    + "'\(path.plan.device.name)'")
        }
        let channels = try channelCount(of: path.plan.device, granted)
        for assignment in assignments where !(1...max(1, channels)).contains(Int(assignment.channelNumber)) {
            throw QueueError(
                .invalidDevice,
                "cannot assign channel \(assignment.channelNumber) of '\(first.deviceName)', which has "
                    + "\(channels)")
        }
        try setChannelNumbers(assignments.map { Int($0.channelNumber) })
    }

    private func setChannelNumbers(_ numbers: [Int]?) throws(QueueError) {
        try rebuildPath { (plan: inout InputPath.Plan) throws(QueueError) in plan.channelNumbers = numbers }
    }

    /// Returns the channel count of a device, requested from the device if it is unknown.
    private func channelCount(
        of device: any InputDevice, _ granted: GrantedLatency?
    ) throws(QueueError) -> Int {
        if let granted, granted.deviceChannels > 0 { return granted.deviceChannels }
        do throws(DeviceError) {
            return try device.nativeFormat(timeoutSeconds: InputFormat.nativeFormatSeconds).channels
        } catch {
            throw QueueError(error)
        }
    }

    // MARK: The tap

    func installTap(_ tap: QueueTap) throws(QueueError) -> QueueTapFormat {
        awaitQuiet()
        let path = try rebuildPath { (plan: inout InputPath.Plan) throws(QueueError) in
            guard plan.tap == nil else { throw QueueError(.tooManyTaps) }
            plan.tap = tap
        }
        guard let stage = path.tap else { throw QueueError(.invalidRunState) }
        return stage.format
    }

    func removeTap() throws(QueueError) {
        awaitQuiet()
        try rebuildPath { (plan: inout InputPath.Plan) throws(QueueError) in
            guard plan.tap != nil else {
                throw QueueError(.invalidTapContext, "cannot take a tap from a queue that has none")
            }
            plan.tap = nil
        }
    }

    /// Waits until audio captured before a stop was processed, so that a tap is not installed or removed meanwhile.
    private func awaitQuiet() {
        // In a callback, or in a call of the tap, the wait could be for this thread.
        guard !CallbackScope.isCurrent else { return }
        _ = monitor.wait(until: CallDeadline.fromNow) { state in
            state.machine.state == .stopped && !(state.resets.isEmpty && state.isQuiet)
        }
    }

    // MARK: The path

    /// Replaces the path from the device by one with a changed plan.
    ///
    /// - Parameters:
    ///   - isOtherDevice: Whether to call the device's listeners.
    ///   - change: Changes the current plan.
    /// - Returns: The new path.
    /// - Throws: ``QueueError/Code/invalidRunState`` unless the queue is stopped, the errors of `change`, and the
    ///   device's errors. The path is then unchanged.
    @discardableResult
    private func rebuildPath(
        isOtherDevice: Bool = false, _ change: (inout InputPath.Plan) throws(QueueError) -> Void
    ) throws(QueueError) -> InputPath {
        // Released outside the lock, because this may release a client's tap.
        var old: InputPath?
        let new = try locked { (state: inout InputState) throws(QueueError) -> InputPath in
            if case .fail(let code) = state.machine.apply(.configure) { throw QueueError(code) }
            guard state.resets.isEmpty else {
                throw QueueError(.invalidRunState, "cannot change a queue whose device is still stopping")
            }
            var plan = state.path.plan
            try change(&plan)
            let hasOtherTap = plan.tap !== state.path.plan.tap
            // Without a listener, the event would wait until a thread is started.
            let isAnnounced = isOtherDevice && !state.client.listeners(for: .device).isEmpty
            guard !hasOtherTap || state.isQuiet else {
                throw QueueError(.invalidRunState, "cannot change the tap of a queue that is still stopping")
            }
            let path = try InputPath(
                plan, for: product, configuration: configuration, replacing: state.path)
            do throws(QueueError) {
                if hasOtherTap { try remakeBlocks(for: path, &state) }
                // Listeners are also called before the first start.
                if isAnnounced { try startThread(&state) }
                if plan.tap != nil { try takeCallbacksFromThread(&state) }
            } catch {
                path.stream.close(ticket: 0)
                throw error
            }
            old = state.path
            replacePath(by: path, &state)
            if isAnnounced { state.add(.changed(.device)) }
            return path
        }
        withExtendedLifetime(old) {}
        return new
    }

    /// Allocates the blocks for a path that makes packets, and frees those of the previous path.
    private func remakeBlocks(for path: InputPath, _ state: inout InputState) throws(QueueError) {
        var blocks = CaptureBlocks()
        do throws(QueueError) {
            for (index, bytes) in state.pool.byteCapacities.enumerated() {
                try reserveBlock(forBytes: bytes, buffers: index + 1, of: path, in: &blocks)
            }
        } catch {
            blocks.freeMemory()
            throw error
        }
        state.encoding.blocks.freeMemory()
        state.encoding.blocks = blocks
    }

    private func replacePath(by path: InputPath, _ state: inout InputState) {
        let old = state.path
        // Until the next start, the counts remain those of the last run.
        state.timeline.keepCounts(old.stream.position())
        state.settings.apply(to: path)
        state.path = path
        // The old stream is stopped and has returned every segment, so its further events are irrelevant.
        old.stream.close(ticket: state.resets.takeTicket())
        // A thread that waits for events of the old path has to wait for those of the new one.
        old.feed.wake()
    }
}
