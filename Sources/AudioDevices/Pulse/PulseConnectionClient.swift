/// A stream of either direction, as seen by its connection and its server stream. All calls are on the loop's thread.
protocol PulseConnectionClient: AnyObject {
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
}
