/// A stream of either direction, as seen by its connection and its server stream. All calls are on the loop's thread.
protocol PulseConnectionClient: AnyObject {
    var connection: PulseConnection { get }
    /// The time to wait for a lost server or device, in seconds.
    var recoverySeconds: Double { get }
    /// The host time when ``checkDeadline(_:)`` has something to do, which depends on the client's state.
    var deadline: UInt64 { get set }

    /// The context has failed, and every server stream with it.
    func serverIsLost()
    /// Playing or recording is impossible.
    func fail(_ error: DeviceError)
    /// The server is back after it was lost.
    func serverIsBack()
    /// The server has reported that it is PipeWire's.
    func serverIsPipeWire()
    /// A deadline has passed, perhaps one of this client.
    func checkDeadline(_ now: UInt64)
    /// The client without a reference count; used only while the connection holds the client.
    var reference: PulseStreamReference { get }

    // MARK: Events of the server's stream

    func streamIsReady()
    /// The server closed or refused the stream.
    func streamFailed()
    /// A user moved the stream to another device.
    func moved()
    /// The device was suspended or resumed.
    func suspensionChanged()
    /// The server has changed the granted buffer sizes.
    func attributesChanged()

    // MARK: Used by some clients

    /// Whether the client needs ``defaultSinkIs(_:)``.
    var awaitsDefaultSink: Bool { get }
    func defaultSinkIs(_ name: String)
    /// The sink or source that the client uses now.
    var runningSink: String? { get }
    var runningSource: String? { get }
}

extension PulseConnectionClient {
    var awaitsDefaultSink: Bool { false }
    func defaultSinkIs(_ name: String) {}
    var runningSink: String? { nil }
    var runningSource: String? { nil }

    func setDeadline(_ hostTime: UInt64) {
        deadline = hostTime
        connection.loop.wakeUp(at: hostTime)
    }

    /// The time limit of waiting for a server that is lost now.
    var recoveryLimit: UInt64 { connection.loop.now + UInt64(max(0, min(recoverySeconds, 1e6)) * 1e9) }

    /// The error of a stream whose server or device did not return in time.
    var lossError: DeviceError {
        DeviceError(
            .connectionLost,
            "the sound server or its device is unavailable, and did not return within \(recoverySeconds) s")
    }

    /// The error of a stream that the server closed or refused; nil if the connection has failed too, which reports
    /// that itself.
    ///
    /// - Parameter device: The name requested from the server; nil for its default.
    func refusal(to attempt: String, _ device: String?) -> DeviceError? {
        guard let context = connection.context else { return nil }
        let errorNumber = context.errorNumber
        guard case .ready = context.state else { return nil }
        let name = device.map { "'\($0)'" } ?? "the default device"
        let code: DeviceError.Code = errorNumber == PulseError.noEntity ? .noSuchDevice : .refused
        return .pulse(code, "cannot \(attempt) \(name)", errorNumber: errorNumber)
    }
}
