// SPDX-License-Identifier: MIT

import CoreAudioTypes
import Threads

/// The client's code that a unit calls. Any thread may replace it while the unit runs.
final class RenderHooks: Sendable {
    private struct State {
        var render: RenderCode?
        var input: RenderCode?
        /// The numbers of the observers, and their code in the same order.
        var ids: [Int] = []
        var observers: [RenderCode] = []
        var lastError: Int32 = 0
        var isInputMuted = false
    }

    private let state = Monitor(State())

    /// The code that renders the output.
    var render: RenderCode? {
        get { state.withLock { $0.render } }
        set { state.withLock { $0.render = newValue } }
    }

    /// The code that is informed of captured frames.
    var input: RenderCode? {
        get { state.withLock { $0.input } }
        set { state.withLock { $0.input = newValue } }
    }

    /// Whether captured audio is replaced by silence.
    var isInputMuted: Bool {
        get { state.withLock { $0.isInputMuted } }
        set { state.withLock { $0.isInputMuted = newValue } }
    }

    /// The code that observes renders, in the order in which it was added.
    var observers: [RenderCode] { state.withLock { $0.observers } }

    func addObserver(_ id: Int, _ code: RenderCode) {
        state.withLock { state in
            state.ids.append(id)
            state.observers.append(code)
        }
    }

    func removeObserver(_ id: Int) {
        state.withLock { state in
            guard let index = state.ids.firstIndex(of: id) else { return }
            state.ids.remove(at: index)
            state.observers.remove(at: index)
        }
    }

    func failed(_ status: Int32) { state.withLock { $0.lastError = status } }

    /// Returns the status of the last render that failed, and clears it.
    func takeLastError() -> Int32 {
        state.withLock { state in
            defer { state.lastError = 0 }
            return state.lastError
        }
    }

    /// Renders a bus: informs the observers before and after, and returns the status of `body`.
    @unsafe func observed(
        _ actions: UnsafeMutablePointer<RenderActions>, _ time: UnsafePointer<AudioTimeStamp>, bus: Int,
        frames: Int, _ list: UnsafeMutablePointer<AudioBufferList>?,
        _ body: (UnsafeMutablePointer<RenderActions>, UnsafePointer<AudioTimeStamp>) -> Int32
    ) -> Int32 {
        let observers = observers
        for observer in observers {
            var flags = unsafe actions.pointee.subtracting(.moments).union(.preRender)
            unsafe _ = observer(&flags, time, bus, frames, list)
        }
        let status = unsafe body(actions, time)
        if status != 0 { failed(status) }
        for observer in observers {
            var flags = unsafe actions.pointee.subtracting(.moments).union(.postRender)
            if status != 0 { flags.insert(.postRenderError) }
            unsafe _ = observer(&flags, time, bus, frames, list)
        }
        return status
    }
}
