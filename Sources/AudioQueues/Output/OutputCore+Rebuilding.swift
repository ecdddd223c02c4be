// SPDX-License-Identifier: MIT

import AQCodecs
import AQDevices
import CoreAudioTypes

/// Replacement of the path to the device, while the queue is stopped.
extension OutputCore {
    /// Replaces the queue's path by one with a changed plan, if the change requires a new path.
    ///
    /// If an error is thrown, the queue is unchanged.
    ///
    /// - Parameters:
    ///   - change: Changes the plan, and returns whether that requires a new path.
    ///   - then: Called after the replacement, with the lock held.
    /// - Throws: ``QueueError/Code/invalidRunState`` unless the queue is stopped, and the errors of the new parts.
    func replan(
        _ change: (inout OutputPath.Plan) throws(QueueError) -> Bool,
        then: (inout OutputState) -> Void = { _ in }
    ) throws(QueueError) {
        let replaced = try perform(.configure) {
            (state: inout OutputState) throws(QueueError) -> OutputPath? in
            var plan = state.path.plan
            let needsPath = try change(&plan)
            guard state.resets.isEmpty else {
                throw QueueError(.invalidRunState, "cannot change a queue that is still stopping")
            }
            var replaced: OutputPath?
            if needsPath {
                replaced = try replacePath(by: plan, &state)
            } else {
                state.path.plan = plan
            }
            then(&state)
            return replaced
        }
        // Outside the lock: the old path may release a client's object.
        withExtendedLifetime(replaced) {}
    }

    /// Replaces the path by one with a plan, and closes the old path. Only while stopped, with no reset in progress.
    ///
    /// - Returns: The old path, to be released outside the lock.
    private func replacePath(
        by plan: OutputPath.Plan, _ state: inout OutputState
    ) throws(QueueError) -> OutputPath {
        let old = state.path
        // Parameter values that buffers have set remain in force.
        state.settings.keepInForce(on: old)
        var plan = plan
        plan.isPanned = needsPanning(state, plan)
        let new = try OutputPath(plan, fixture, magicCookie: state.settings.magicCookie)
        do throws(QueueError) {
            if let chain = new.chain, chain.lacksStretcher {
                let missing = plan.algorithm == .varispeed ? VarispeedResampler.failure : nil
                throw QueueError(
                    .invalidPropertyValue,
                    "cannot change rate and pitch: \(missing ?? "no library for it is available")")
            }
            // The new path's threads make the pending callbacks.
            if old.threads.areStarted || new.isOffline { try startThreads(of: new, &state) }
        } catch {
            new.stream.close(ticket: state.resets.takeTicket())
            throw error
        }

        state.timeline.endGaps(at: old.stream.position().discontinuities)
        old.stream.close(ticket: state.resets.takeTicket())
        if !old.threads.takeEvents { old.threads.isClosed = true }
        if old.ownsContext, old.threads.takeEvents { old.context?.end() }
        state.path = new
        state.nextDecoder = nil
        state.requests.endDrain()
        state.requests.startsWhenDecoded = false
        state.forgetProgress()
        state.settings.apply(to: new)
        state.delivery.scheduleAgain()
        return old
    }

    // MARK: Pan

    /// Returns whether mono has to become stereo. A channel that is assigned to a device's channel stays mono.
    private func needsPanning(_ state: OutputState, _ plan: OutputPath.Plan) -> Bool {
        guard format.mChannelsPerFrame == 1, plan.channelAssignments.isEmpty else { return false }
        if state.settings.panInForce(on: state.path) != 0 { return true }
        return state.items.isPanned
    }

    // MARK: Requirements of a start

    /// Replaces the path for a start by one that suits the enqueued audio, unless the current one does. A playing
    /// stream keeps its channels and its latency.
    ///
    /// - Returns: The old path, to be released outside the lock; nil if the path is unchanged.
    func replacePathForStart(_ state: inout OutputState) throws(QueueError) -> OutputPath? {
        guard state.machine.state == .stopped, state.resets.isEmpty else { return nil }
        var plan = state.path.plan
        if !plan.isPanned { plan.isPanned = needsPanning(state, plan) }
        plan.latency = latency(of: plan, state)
        guard plan.isPanned != state.path.plan.isPanned || plan.latency != state.path.plan.latency else {
            return nil
        }
        return try replacePath(by: plan, &state)
    }
}
