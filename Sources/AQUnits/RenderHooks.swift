// SPDX-License-Identifier: MIT

import CoreAudioTypes
import Synchronization
import AQThreads

/// The client's code that a unit calls. Any thread may replace it while the unit runs, whose thread takes no lock.
final class RenderHooks: Sendable {
    /// The code at one time, which is replaced as a whole.
    private final class Code: Sendable {
        struct Observer: Sendable {
            let id: Int
            let code: RenderCode
        }

        let render: RenderCode?
        let input: RenderCode?
        let observers: [Observer]

        init(_ render: RenderCode? = nil, _ input: RenderCode? = nil, _ observers: [Observer] = []) {
            self.render = render
            self.input = input
            self.observers = observers
        }
    }

    private let code = SharedObject<Code>()
    /// Held while the code is replaced.
    private let changes = Monitor(())
    private let lastStatus = Atomic<Int32>(0)
    private let inputIsMuted = Atomic<Bool>(false)

    /// The code that renders the output.
    var render: RenderCode? {
        get { code.load()?.render }
        set { change { Code(newValue, $0.input, $0.observers) } }
    }

    /// The code that is informed of captured frames.
    var input: RenderCode? {
        get { code.load()?.input }
        set { change { Code($0.render, newValue, $0.observers) } }
    }

    /// Whether captured audio is replaced by silence.
    var isInputMuted: Bool {
        get { inputIsMuted.load(ordering: .relaxed) }
        set { inputIsMuted.store(newValue, ordering: .relaxed) }
    }

    /// Adds code that observes renders, after that which was added before.
    func addObserver(_ id: Int, _ code: RenderCode) {
        change { Code($0.render, $0.input, $0.observers + [Code.Observer(id: id, code: code)]) }
    }

    func removeObserver(_ id: Int) {
        change { old in
            var observers = old.observers
            if let index = observers.firstIndex(where: { $0.id == id }) { observers.remove(at: index) }
            return Code(old.render, old.input, observers)
        }
    }

    private func change(_ body: (Code) -> Code) {
        // The release of the earlier code may run code of the client, and so follows the unlock.
        _ = changes.withLock { _ in code.replace(body(code.load() ?? Code())) }
    }

    func failed(_ status: Int32) { lastStatus.store(status, ordering: .relaxed) }

    /// The status of the last render that failed, or 0.
    var lastError: Int32 { lastStatus.load(ordering: .relaxed) }

    /// Returns the status of the last render that failed, and clears it.
    func takeLastError() -> Int32 { lastStatus.exchange(0, ordering: .relaxed) }

    /// Renders a bus: informs the observers before and after, and returns the status of `body`.
    @unsafe func observed(
        _ actions: UnsafeMutablePointer<RenderActions>, _ time: UnsafePointer<AudioTimeStamp>, bus: Int,
        frames: Int, _ list: UnsafeMutablePointer<AudioBufferList>?,
        _ body: (UnsafeMutablePointer<RenderActions>, UnsafePointer<AudioTimeStamp>) -> Int32
    ) -> Int32 {
        let observers = code.load()?.observers ?? []
        for observer in observers {
            var flags = unsafe actions.pointee.subtracting(.moments).union(.preRender)
            unsafe _ = observer.code(&flags, time, bus, frames, list)
        }
        let status = unsafe body(actions, time)
        if status != 0 { failed(status) }
        for observer in observers {
            var flags = unsafe actions.pointee.subtracting(.moments).union(.postRender)
            if status != 0 { flags.insert(.postRenderError) }
            unsafe _ = observer.code(&flags, time, bus, frames, list)
        }
        return status
    }
}
