// SPDX-License-Identifier: MIT

import Glibc
import Synchronization

/// Renders plans, one after the other, without locks or memory allocation.
///
/// The thread of an I/O unit, or a caller, renders. Other threads replace the plan: the next slice is rendered with the
/// new one.
package final class GraphRenderer: @unchecked Sendable {
    // SAFETY: `turn` admits one thread at a time to the variables.

    /// The address of the plan that the next slice uses instead; 0 for none. Retained.
    private let next = Atomic<UInt>(0)
    /// The thread that renders, or changes what rendering uses; 0 for none.
    private let owner = Atomic<UInt>(0)
    private var plan: GraphPlan?
    private var turnNumber: UInt64 = 0
    private let resets = Atomic<UInt64>(0)

    package init() {}

    deinit {
        unsafe Self.object(next.load(ordering: .acquiring))?.release()
    }

    private static func object(_ address: UInt) -> Unmanaged<GraphPlan>? {
        unsafe UnsafeRawPointer(bitPattern: address).map { unsafe Unmanaged.fromOpaque($0) }
    }

    /// Sets the plan of the next slice. The caller holds the graph's lock.
    package func replacePlan(_ plan: GraphPlan) {
        // SAFETY: released by the thread that takes it.
        let address = UInt(bitPattern: unsafe Unmanaged.passRetained(plan).toOpaque())
        unsafe Self.object(next.exchange(address, ordering: .acquiringAndReleasing))?.release()
    }

    /// Makes all nodes drop the audio that they hold, with the next slice. Any thread.
    package func reset() { resets.wrappingAdd(1, ordering: .relaxed) }

    /// Whether a slice was rendered since the plan was replaced.
    package var usesNewestPlan: Bool { next.load(ordering: .acquiring) == 0 }

    /// Calls `body` if nothing is rendered now, and returns whether it did. Not while a device renders: its thread must
    /// not wait.
    package func ifIdle(_ body: () -> Void) -> Bool {
        guard
            owner.compareExchange(expected: 0, desired: UInt(pthread_self()), ordering: .acquiring).exchanged
        else { return false }
        takePlan()
        body()
        owner.store(0, ordering: .releasing)
        // Perhaps no slice follows, after which that is done otherwise.
        GraphMessenger.shared.wakeIfNeeded()
        return true
    }

    /// Whether the calling thread renders, and this is code of a client.
    package var isRenderingThread: Bool { owner.load(ordering: .relaxed) == UInt(pthread_self()) }

    /// Renders a slice of the output; returns false if all samples are 0.
    ///
    /// - Parameter target: Memory in the format of the output, for at most the largest number of frames.
    package func renderOutput(_ target: PlanarSamples, _ time: SliceTime, isOffline: Bool = false) -> Bool {
        guard takeTurn() else {
            target.silence()
            return false
        }
        defer { endTurn() }
        takePlan()
        guard let plan, target.frames <= plan.maximumFrames else {
            target.silence()
            return false
        }
        let turn = RenderTurn(
            number: turnNumber, isOffline: isOffline, resets: resets.load(ordering: .relaxed))
        var hasSound = false
        if let output = plan.output, output.node.format.channels == target.channels {
            hasSound = output.node.render(target, time, turn)
        } else {
            target.silence()
        }
        for root in plan.others { render(root, target.frames, time, turn) }
        return hasSound
    }

    /// Renders the nodes that need captured audio, and that the output does not render.
    package func renderCaptured(frames: Int, _ time: SliceTime) {
        guard takeTurn() else { return }
        defer { endTurn() }
        takePlan()
        guard let plan, frames <= plan.maximumFrames else { return }
        let turn = RenderTurn(
            number: turnNumber, isOffline: false, resets: resets.load(ordering: .relaxed))
        for root in plan.captured { render(root, frames, time, turn) }
    }

    private func render(_ root: GraphPlan.Root, _ frames: Int, _ time: SliceTime, _ turn: RenderTurn) {
        guard let memory = root.memory else { return }
        _ = root.node.render(memory.prefix(frames), time, turn)
    }

    /// Admits the calling thread, unless it renders already. Beside a device, another thread is admitted only for a moment
    /// before the start.
    private func takeTurn() -> Bool {
        let thread = UInt(pthread_self())
        while true {
            let result = owner.weakCompareExchange(expected: 0, desired: thread, ordering: .acquiring)
            if result.exchanged { break }
            if result.original == thread { return false }
            sched_yield()
        }
        turnNumber &+= 1
        return true
    }

    private func endTurn() {
        owner.store(0, ordering: .releasing)
        GraphMessenger.shared.wakeIfNeeded()
    }

    private func takePlan() {
        guard next.load(ordering: .relaxed) != 0,
            let new = unsafe Self.object(next.exchange(0, ordering: .acquiringAndReleasing))
        else { return }
        // Memory is freed by the messenger.
        if let plan { GraphMessenger.shared.retire(plan) }
        plan = unsafe new.takeRetainedValue()
    }
}
