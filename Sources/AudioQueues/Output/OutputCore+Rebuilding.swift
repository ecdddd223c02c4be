import AudioDevices
import CoreAudioTypes

/// Another way to the device, while the queue is stopped.
extension OutputCore {
    /// Replaces the queue's path by one of a changed plan, if the change differs from what there is.
    ///
    /// What cannot be had leaves the queue as it was.
    ///
    /// - Parameters:
    ///   - change: Changes the plan; returns whether that takes a new path.
    ///   - then: Called behind it, with the lock held.
    /// - Throws: ``QueueError/Code/invalidRunState`` unless the queue is stopped, and what the parts say against
    ///   the plan.
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
        // Outside the lock: with the old path goes, maybe, a client's object.
        withExtendedLifetime(replaced) {}
    }

    /// Makes a path of a plan, and closes the one that there was. Only while stopped, with no reset under way.
    ///
    /// - Returns: The old path, to be released outside the lock.
    private func replacePath(
        by plan: OutputPath.Plan, _ state: inout OutputState
    ) throws(QueueError) -> OutputPath {
        let old = state.path
        // What buffers have set stays in force.
        state.settings.keepInForce(on: old)
        var plan = plan
        plan.isPanned = needsPanning(state, plan)
        let new = try OutputPath(plan, fixture, magicCookie: state.settings.magicCookie)
        do throws(QueueError) {
            if let chain = new.chain, chain.lacksStretcher {
                throw QueueError(
                    .invalidPropertyValue, "cannot change rate and pitch: there is nothing to do it")
            }
            // What the old one's threads were to tell, the new one's tell.
            if old.threads.areStarted || new.isOffline { try startThreads(of: new, &state) }
        } catch {
            new.stream.close(ticket: state.resets.takeTicket())
            throw error
        }

        state.timeline.endGaps(at: old.stream.position().discontinuities)
        old.stream.close(ticket: state.resets.takeTicket())
        if !old.threads.takeNotices { old.threads.isClosed = true }
        if old.ownsContext, old.threads.takeNotices { old.context?.end() }
        state.path = new
        state.nextDecoder = nil
        state.requests.endDrain()
        state.requests.cancelStart()
        state.forgetProgress()
        state.settings.apply(to: new)
        state.delivery.scheduleAgain()
        return old
    }

    // MARK: Pan

    /// Whether one channel has to become two; not if it was said which one of the device's it is.
    private func needsPanning(_ state: OutputState, _ plan: OutputPath.Plan) -> Bool {
        guard format.mChannelsPerFrame == 1, plan.channelAssignments.isEmpty else { return false }
        if state.settings.panInForce(on: state.path) != 0 { return true }
        return state.items.isPanned
    }

    // MARK: What a start needs

    /// Makes a path that fits what is enqueued, if the queue's does not: the next start is the time for it, since a
    /// stream that plays keeps its channels and its latency.
    ///
    /// - Returns: The path that was replaced, to be released outside the lock.
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
