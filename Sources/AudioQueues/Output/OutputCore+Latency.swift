import AudioDevices
import CoreAudioTypes

/// The latency goal of a start.
extension OutputCore {
    /// Buffers that together last this long make additional latency unnoticeable.
    private static let shortSeconds = 0.2

    /// The latency goal of a plan: the user's, the client's, or one that suits the enqueued audio.
    func latency(of plan: OutputPath.Plan, _ state: OutputState) -> LatencyGoal {
        if plan.offline != nil { return plan.latency }
        if let goal = LatencyGoal.ofUser ?? state.settings.latency { return goal }
        // Compared to a quarter of a second that is decoded ahead the server's share is small, and short buffers do not
        // imply a need for low latency.
        let isDecoded = plan.needsChain || (state.path.cursor != nil && state.path.chain == nil)
        guard !isDecoded, let frames = state.items.waitingFrames else { return .balanced }
        return frames / format.mSampleRate < OutputCore.shortSeconds ? .lowest : .balanced
    }
}
