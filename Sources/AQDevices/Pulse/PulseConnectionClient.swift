// SPDX-License-Identifier: MIT

/// A playback or capture stream, as used by its connection and its server stream. All calls are made on the loop's
/// thread.
protocol PulseConnectionClient: AnyObject {
    var connection: PulseConnection { get }
    /// The server side of the stream.
    var server: PulseServerStream { get }
    /// The time to wait for a lost server or device, in seconds; infinity for no limit.
    var recoverySeconds: Double { get }
    /// The host time of the next ``checkDeadline(_:)`` that the client needs. The action depends on the client's state.
    var deadline: UInt64 { get set }

    /// Handles the failure of the context, and of every server stream with it.
    func serverIsLost()
    /// Ends the stream with an error.
    func fail(_ error: DeviceError)
    /// Handles the return of a lost server.
    func serverIsBack()
    /// Handles the report that the server is PipeWire's.
    func serverIsPipeWire()
    /// Does the work that is due at `now`. Called when the deadline of any client has passed.
    func checkDeadline(_ now: UInt64)
    /// An unretained reference to the client, used only while the connection holds the client.
    var reference: PulseStreamReference { get }

    // MARK: Events of the server's stream

    func streamIsReady()
    /// Handles a stream that the server closed or refused.
    func streamFailed()
    /// Handles a stream that a user moved to another device.
    func moved()
    /// Handles a device that was suspended or resumed.
    func suspensionChanged()
    /// Handles the server's request to pause the stream, or to continue: `PulseServerStream.isHeld`.
    func holdChanged()
    /// Handles a change of the granted buffer sizes.
    func attributesChanged()

    // MARK: Used by some clients

    /// Whether the client needs ``defaultSinkIs(_:)``.
    var awaitsDefaultSink: Bool { get }
    func defaultSinkIs(_ name: String)
    /// The sink, or the source, that the client uses now.
    var runningSink: String? { get }
    var runningSource: String? { get }
}

extension PulseConnectionClient {
    var awaitsDefaultSink: Bool { false }
    func defaultSinkIs(_ name: String) {}
    func holdChanged() {}
    var runningSink: String? { nil }
    var runningSource: String? { nil }

    func setDeadline(_ hostTime: UInt64) {
        deadline = hostTime
        connection.loop.wakeUp(at: hostTime)
    }

    /// The host time until which a stream waits for a server that is lost now; `.max` without a limit.
    var recoveryLimit: UInt64 {
        if recoverySeconds == .infinity { return .max }
        return connection.loop.now + UInt64(max(0, min(recoverySeconds, 1e6)) * 1e9)
    }

    /// The error of a stream whose server or device did not return in time.
    var lossError: DeviceError {
        DeviceError(
            .connectionLost,
            "the sound server or its device did not return within \(recoverySeconds) s")
    }

    /// Returns the error of a stream that the server closed or refused. Nil if the connection has failed too, because
    /// the connection then reports the failure.
    ///
    /// - Parameter device: The name requested from the server; nil for its default.
    func refusal(to attempt: String, _ device: String?) -> DeviceError? {
        guard let context = connection.context else { return nil }
        let errorNumber = context.errorNumber
        guard case .ready = context.state else { return nil }
        let name = device.map { "'\($0)'" } ?? "the default device"
        // A name with other characters than those of names is an invalid argument.
        if let device, errorNumber == PulseError.invalidArgument, !Self.isDeviceName(device) {
            return DeviceError(
                .noSuchDevice, "cannot \(attempt) \(name): the sound server has no such device")
        }
        let code: DeviceError.Code = errorNumber == PulseError.noEntity ? .noSuchDevice : .refused
        return .pulse(code, "cannot \(attempt) \(name)", errorNumber: errorNumber)
    }

    /// Whether a server may have a device with this name.
    private static func isDeviceName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 128
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
                    UInt8(ascii: "-"), UInt8(ascii: "@"):
                    true
                default: false
                }
            }
    }
}
