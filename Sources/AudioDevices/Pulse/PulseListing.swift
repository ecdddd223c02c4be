import CRealTime
import Synchronization

/// A request for a server's devices, or for one by name: filled on the loop's thread, awaited by the caller.
final class PulseListing: Sendable {
    struct Answer: Sendable {
        /// The devices in the server's order.
        var devices: [DeviceInfo] = []
        /// Empty if the server has none.
        var defaultSink = ""
        var defaultSource = ""
    }

    private struct State {
        var answer = Answer()
        /// The names of the devices that a running stream of this process uses.
        var namesInUse: [String] = []
        var result: Result<Answer, DeviceError>?
    }

    private let question: PulseQuestion
    private let connection: PulseConnection
    private let state = Monitor(State())

    private init(_ question: PulseQuestion, of connection: PulseConnection) {
        self.question = question
        self.connection = connection
    }

    /// Asks, and waits for the answer.
    ///
    /// - Throws: ``DeviceError/Code/noServer``, also after a timeout; ``DeviceError/Code/noSuchDevice`` if no device
    ///   has the name.
    static func ask(
        _ question: PulseQuestion, of server: String?, timeoutSeconds: Double
    ) throws(DeviceError) -> Answer {
        let connection = try PulseConnection.connection(to: server)
        let listing = PulseListing(question, of: connection)
        connection.perform {
            connection.whenConnected { error in
                if let error { listing.finish(error) } else { listing.begin() }
            }
        }
        return try listing.wait(seconds: timeoutSeconds)
    }

    private func begin() {
        guard connection.context != nil else {
            return finish(DeviceError(.noServer, "the sound server went away"))
        }
        let isOfSinks =
            switch question {
            case .sinks, .sink: true
            default: false
            }
        let namesInUse = connection.namesInUse(ofSinks: isOfSinks)
        state.withLock { $0.namesInUse = namesInUse }
        connection.add(self)
        // Answers arrive in the order of the questions.
        if question == .sinks || question == .sources {
            connection.ask(.server) { [self] answer in
                guard case .server(let info) = answer else { return }
                state.withLock {
                    $0.answer.defaultSink = info.defaultSink
                    $0.answer.defaultSource = info.defaultSource
                }
            }
        }
        connection.ask(question) { [self] answer in
            connection.remove(self)
            switch answer {
            case .devices(let devices):
                state.withLock { $0.answer.devices = devices.map(\.info) }
                finish(nil)
            case .failed(let errorNumber): finish(error(errorNumber))
            case .server: break
            }
        }
    }

    private func error(_ errorNumber: Int32) -> DeviceError {
        switch question {
        case .sink(let name) where errorNumber == PulseError.noEntity:
            DeviceError(.noSuchDevice, "cannot find '\(name)': the sound server has no such sink")
        case .source(let name) where errorNumber == PulseError.noEntity:
            DeviceError(.noSuchDevice, "cannot find '\(name)': the sound server has no such source")
        default: DeviceError(.refused, "cannot list the sound server's devices")
        }
    }

    /// Ends the question with an error, or with the collected devices. Loop thread.
    func finish(_ error: DeviceError?) {
        state.withLock { state in
            if let error {
                state.result = .failure(error)
                return
            }
            let chosen = question == .sinks ? state.answer.defaultSink : state.answer.defaultSource
            for index in state.answer.devices.indices {
                let name = state.answer.devices[index].name
                state.answer.devices[index].isDefault = name == chosen
                state.answer.devices[index].facts?.isUsedHere = state.namesInUse.contains(name)
            }
            state.result = .success(state.answer)
        }
        state.notifyAll()
    }

    private func wait(seconds: Double) throws(DeviceError) -> Answer {
        let deadline = aq_host_time() + UInt64(max(0, min(seconds, 3600)) * 1e9)
        _ = state.wait(until: deadline) { $0.result == nil }
        guard let result = state.withLock({ $0.result }) else {
            throw DeviceError(.noServer, "the sound server did not answer within \(seconds) s")
        }
        return try result.get()
    }
}
