import CAudioToolbox

extension Hardware {
    /// Sets a device to a sample rate.
    ///
    /// - Throws: ``HardwareFailure/unsupportedFormat`` for any rate but the current one: the server converts
    ///   every stream to it.
    func setSampleRate(
        _ sampleRate: Float64, at address: AudioObjectPropertyAddress, of object: HardwareObject
    ) throws(HardwareFailure) {
        guard case .real(let present) = try value(of: address, of: object) else { throw .unknownProperty }
        // Rates of servers are whole numbers; a program may have computed its own.
        guard abs(present - sampleRate) < 0.5 else { throw .unsupportedFormat }
    }

    /// Sets the run loop of the listeners.
    ///
    /// - Parameter isNull: True requests a thread of the library, which is where they are called in any case.
    /// - Throws: ``HardwareFailure/unsupportedOperation`` for a run loop.
    func setRunLoop(isNull: Bool) throws(HardwareFailure) {
        guard isNull else { throw .unsupportedOperation }
    }
}
