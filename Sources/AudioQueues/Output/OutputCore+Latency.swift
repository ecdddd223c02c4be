// SPDX-License-Identifier: MIT

import AQDevices
import CoreAudioTypes

/// The latency goal with which a queue starts.
extension OutputCore {
    /// The duration of enqueued buffers, in seconds, from which additional latency is not noticeable.
    private static let shortSeconds = 0.2

    /// Returns the latency goal of a plan: the user's, the client's, or one that suits the enqueued audio.
    func latency(of plan: OutputPath.Plan, _ state: OutputState) -> LatencyGoal {
        if plan.offline != nil { return plan.latency }
        if let goal = LatencyGoal.ofUser ?? state.settings.latency { return goal }
        // Compared to a quarter of a second decoded ahead, the server's latency is small. Short buffers to decode do
        // not imply a need for low latency.
        let isDecoded = plan.needsChain || (state.path.cursor != nil && state.path.chain == nil)
        guard !isDecoded, let frames = state.items.waitingFrames else { return .balanced }
        return frames / format.mSampleRate < OutputCore.shortSeconds ? .lowest : .balanced
    }
}
