import AudioDevices
import CoreAudioTypes

/// The latency goal of a start.
extension OutputCore {
    /// Buffers that last as long as this together are enough to have a reserve beside them go unnoticed.
    private static let shortSeconds = 0.2

    /// The goal of a plan for what is enqueued: the user's, the client's, or the one that fits.
    func latency(of plan: OutputPath.Plan, _ state: OutputState) -> LatencyGoal {
        if plan.offline != nil { return plan.latency }
        if let goal = LatencyGoal.ofUser ?? state.settings.latency { return goal }
        // Beside a quarter of a second that is decoded ahead the server's share is small, and short buffers do not
        // mean that anybody waits.
        let isDecoded = plan.needsChain || (state.path.cursor != nil && state.path.chain == nil)
        guard !isDecoded, let frames = state.items.waitingFrames else { return .balanced }
        return frames / format.mSampleRate < OutputCore.shortSeconds ? .lowest : .balanced
    }
}
