import AudioDevices
import CoreAudioTypes

/// The latency goal of a start.
extension OutputCore {
    /// Buffers that last as long as this together are enough to have a reserve beside them go unnoticed.
    private static let shortSeconds = 0.2

    /// Asks for a goal from the next start on; nil follows what is enqueued.
    func setLatency(_ goal: LatencyGoal?) throws(QueueError) {
        try perform(.configure) { (state: inout OutputState) throws(QueueError) in state.latency = goal }
    }

    /// The goal of a plan for what is enqueued: the user's, the client's, or the one that fits.
    func latency(of plan: OutputPath.Plan, _ state: OutputState) -> LatencyGoal {
        if plan.offline != nil { return plan.latency }
        if let goal = LatencyGoal.ofUser ?? state.latency { return goal }
        // Beside a quarter of a second that is decoded ahead the server's share is small, and short buffers do not
        // mean that anybody waits.
        let isDecoded = plan.needsChain || (state.path.cursor != nil && state.path.chain == nil)
        guard !isDecoded, let seconds = enqueuedSeconds(state) else { return .balanced }
        return seconds < OutputCore.shortSeconds ? .lowest : .balanced
    }

    /// How long the buffers that wait last together, with the silence before those that have a time.
    ///
    /// - Returns: Nil for less than two, since a single one leaves nothing to play while it is filled again.
    private func enqueuedSeconds(_ state: OutputState) -> Double? {
        var buffers = 0
        var frames = 0.0
        for item in state.waiting.elementsInOrder where !item.audibleFrames.isEmpty {
            buffers += 1
            frames = max(frames, item.startFrames ?? 0) + Double(item.audibleFrames.count)
        }
        return buffers > 1 ? frames / format.mSampleRate : nil
    }
}
