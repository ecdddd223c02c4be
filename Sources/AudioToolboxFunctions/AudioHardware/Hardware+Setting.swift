import CAudioToolbox

extension Hardware {
    /// Sets a device to a sample rate.
    ///
    /// - Throws: `kAudioDeviceUnsupportedFormatError` for any rate but the current one: the server
    ///   converts every stream to it.
    func setSampleRate(
        _ sampleRate: Float64, at address: AudioObjectPropertyAddress, of object: HardwareObject
    ) throws(StatusError) {
        guard case .real(let present) = try value(of: address, of: object) else {
            throw StatusError(kAudioHardwareUnknownPropertyError)
        }
        // Rates of servers are whole numbers; a program may have computed its own.
        guard abs(present - sampleRate) < 0.5 else { throw StatusError(kAudioDeviceUnsupportedFormatError) }
    }

    /// Sets the run loop of the listeners.
    ///
    /// - Parameter isNull: True requests a thread of the library, which is where they are called in any case.
    /// - Throws: `kAudioHardwareUnsupportedOperationError` for a run loop.
    func setRunLoop(isNull: Bool) throws(StatusError) {
        guard isNull else { throw StatusError(kAudioHardwareUnsupportedOperationError) }
    }
}
