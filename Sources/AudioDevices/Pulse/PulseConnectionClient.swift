/// A stream of either direction, as its connection and the server's stream know it. All is called on the loop's thread.
protocol PulseConnectionClient: AnyObject {
    /// The context is gone, and every server stream with it.
    func serverIsLost()
    /// Nothing can be played or recorded.
    func fail(_ error: DeviceError)
    /// The server answers again after it was lost.
    func serverIsBack()
    /// The server says that it is PipeWire's.
    func serverIsPipeWire()
    /// Some deadline has passed, perhaps one of this client's.
    func checkDeadline(_ now: UInt64)
    /// The client without its reference count; it is used only while the connection holds the client.
    var reference: PulseStreamReference { get }

    // MARK: What the server's stream reports

    func streamIsReady()
    /// The server closed the stream, or would not make it.
    func streamFailed()
    /// Somebody moved the stream to another device.
    func moved()
    /// The device fell asleep or woke up.
    func suspensionChanged()
    /// The server has changed what it granted.
    func attributesChanged()

    // MARK: Of use to some

    /// Whether the client has a use for ``defaultSinkIs(_:)``.
    var awaitsDefaultSink: Bool { get }
    func defaultSinkIs(_ name: String)
    /// The sink, or the source, on which the client runs now.
    var runningSink: String? { get }
    var runningSource: String? { get }
}

extension PulseConnectionClient {
    var awaitsDefaultSink: Bool { false }
    func defaultSinkIs(_ name: String) {}
    var runningSink: String? { nil }
    var runningSource: String? { nil }
}
