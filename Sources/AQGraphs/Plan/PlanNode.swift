// SPDX-License-Identifier: MIT

/// A node of a plan: its kernel, with where the inputs come from.
///
/// Used by the rendering thread.
final class PlanNode: @unchecked Sendable {
    // SAFETY: only the rendering thread uses what changes.
    let kernel: any GraphKernel
    let format: GraphFormat
    private let edges: [PlanEdge?]
    private let tap: Tap?
    private let clock: NodeClock
    private let reset: ResetRequest
    /// The slice that several nodes use; nil if only one does.
    private let shared: PlanarMemory?
    private var sharedTurn: UInt64 = 0
    private var sharedFrames = 0
    private var sharedHasSound = false

    /// - Parameter sharedFrames: The most frames of a slice that several nodes use; 0 if only one does.
    init(_ kernel: any GraphKernel, of node: GraphShape.Node, edges: [PlanEdge?], sharedFrames: Int) {
        self.kernel = kernel
        self.edges = edges
        format = node.format
        tap = node.tap
        clock = node.clock
        reset = node.reset
        shared =
            sharedFrames == 0 ? nil : PlanarMemory(channels: format.channels, capacityFrames: sharedFrames)
    }

    /// Renders a slice in ``format``; returns false if all samples are 0.
    func render(_ target: PlanarSamples, _ time: SliceTime, _ turn: RenderTurn) -> Bool {
        guard let shared else { return renderAlone(target, time, turn) }
        if sharedTurn != turn.number || sharedFrames < target.frames {
            sharedHasSound = renderAlone(shared.prefix(target.frames), time, turn)
            sharedTurn = turn.number
            sharedFrames = target.frames
        }
        target.copy(shared.prefix(target.frames))
        return sharedHasSound
    }

    private func renderAlone(_ target: PlanarSamples, _ time: SliceTime, _ turn: RenderTurn) -> Bool {
        if reset.take(turn.resets) { kernel.reset() }
        let hasSound = kernel.render(
            target, RenderCall(time: time, format: format, turn: turn, edges: edges))
        clock.publish(time, frames: target.frames)
        tap?.write(target, time, sampleRate: format.sampleRate)
        return hasSound
    }
}
