// SPDX-License-Identifier: MIT

import CAQRealTime
import Synchronization

/// A request for a server's devices, for one device by its name, for the server's description of itself, or for a change
/// of a device. The loop's thread sets the result, and the caller waits for it.
final class PulseListing: Sendable {
    private let question: PulseQuestion
    private let connection: PulseConnection
    private let result = Monitor<Result<PulseAnswer, DeviceError>?>(nil)

    private init(_ question: PulseQuestion, of connection: PulseConnection) {
        self.question = question
        self.connection = connection
    }

    /// Asks a server, waits, and returns the devices in the server's order.
    ///
    /// - Throws: ``DeviceError/Code/noServer``, also after a timeout; ``DeviceError/Code/noSuchDevice`` if no device
    ///   has the name.
    static func ask(
        _ question: PulseQuestion, of server: String?, timeoutSeconds: Double
    ) throws(DeviceError) -> [DeviceInfo] {
        guard case .devices(let devices) = try answer(to: question, of: server, timeoutSeconds) else {
            return []
        }
        return devices.map(\.info)
    }

    /// Asks a server for its description of itself, and waits. Throws the errors of ``ask(_:of:timeoutSeconds:)``.
    static func askAboutServer(
        _ server: String?, timeoutSeconds: Double
    ) throws(DeviceError) -> PulseServerInfo {
        guard case .server(let info) = try answer(to: .server, of: server, timeoutSeconds) else {
            return PulseServerInfo()
        }
        return info
    }

    /// Asks a server, and waits. Throws the errors of ``ask(_:of:timeoutSeconds:)``; ``DeviceError/Code/refused`` if the
    /// server cannot load a module.
    static func answer(
        to question: PulseQuestion, of server: String?, _ timeoutSeconds: Double
    ) throws(DeviceError) -> PulseAnswer {
        let connection = try PulseConnection.connection(to: server)
        let listing = PulseListing(question, of: connection)
        connection.perform {
            connection.whenConnected { error in
                if let error { listing.finish(.failure(error)) } else { listing.begin() }
            }
        }
        return try listing.wait(seconds: timeoutSeconds)
    }

    /// Asks a server for one device, waits, and returns it. Throws the errors of ``ask(_:of:timeoutSeconds:)``.
    static func askForOne(
        _ question: PulseQuestion, of server: String?, timeoutSeconds: Double
    ) throws(DeviceError) -> DeviceInfo {
        let devices = try ask(question, of: server, timeoutSeconds: timeoutSeconds)
        guard let device = devices.first else { throw error(of: question, PulseError.noEntity) }
        return device
    }

    /// Requests a change of a device, and waits until the server has made it. Throws the errors of
    /// ``ask(_:of:timeoutSeconds:)``.
    static func request(
        _ change: PulseQuestion, of server: String?, timeoutSeconds: Double
    ) throws(DeviceError) { _ = try answer(to: change, of: server, timeoutSeconds) }

    private func begin() {
        guard connection.context != nil else {
            return finish(.failure(DeviceError(.noServer, "the connection to the sound server was lost")))
        }
        let isOfSinks =
            switch question {
            case .sinks, .sink: true
            default: false
            }
        // The devices that a running stream of this process uses.
        let namesInUse = connection.namesInUse(ofSinks: isOfSinks)
        connection.add(self)
        var defaultName = ""
        // Answers arrive in the order of the questions, so the default is known first.
        if question == .sinks || question == .sources {
            connection.ask(.server) { answer in
                guard case .server(let info) = answer else { return }
                defaultName = isOfSinks ? info.defaultSink : info.defaultSource
            }
        }
        connection.ask(question) { [self] answer in
            connection.remove(self)
            switch answer {
            case .devices(let described):
                let devices = described.map { device in
                    var device = device
                    device.info.isDefault = device.info.name == defaultName
                    device.info.facts?.isUsedHere = namesInUse.contains(device.info.name)
                    return device
                }
                finish(.success(.devices(devices)))
            case .failed(let errorNumber):
                finish(.failure(PulseListing.error(of: question, errorNumber)))
            case .server, .done, .muted, .clients, .modules, .module: finish(.success(answer))
            }
        }
    }

    private static func error(of question: PulseQuestion, _ errorNumber: Int32) -> DeviceError {
        switch question {
        case .sink(let name) where errorNumber == PulseError.noEntity:
            DeviceError(.noSuchDevice, "cannot find '\(name)': the sound server has no such sink")
        case .source(let name) where errorNumber == PulseError.noEntity:
            DeviceError(.noSuchDevice, "cannot find '\(name)': the sound server has no such source")
        case .setVolumes(_, let name, _) where errorNumber == PulseError.noEntity,
            .setMuted(_, let name, _) where errorNumber == PulseError.noEntity:
            DeviceError(.noSuchDevice, "cannot set the volume of '\(name)': there is no such device")
        case .setVolumes(_, let name, _), .setMuted(_, let name, _):
            .pulse(.refused, "cannot set the volume of '\(name)'", errorNumber: errorNumber)
        case .loadModule(let name, _):
            .pulse(.refused, "the sound server cannot load \(name)", errorNumber: errorNumber)
        default: DeviceError(.refused, "cannot list the sound server's devices")
        }
    }

    /// Sets the result, and wakes the caller. Loop thread only.
    func finish(_ result: Result<PulseAnswer, DeviceError>) {
        self.result.withLock { $0 = result }
        self.result.notifyAll()
    }

    private func wait(seconds: Double) throws(DeviceError) -> PulseAnswer {
        let deadline = aq_host_time() + UInt64(max(0, min(seconds, 3600)) * 1e9)
        _ = result.wait(until: deadline) { $0 == nil }
        guard let result = result.withLock({ $0 }) else {
            throw DeviceError(.noServer, "the sound server did not answer within \(seconds) s")
        }
        return try result.get()
    }
}
