// SPDX-License-Identifier: MIT

import CAudioToolbox

extension Hardware {
    /// Sets a device to a sample rate.
    ///
    /// - Throws: `kAudioDeviceUnsupportedFormatError` for a rate other than the current one, to which the server
    ///   converts every stream.
    func setSampleRate(
        _ sampleRate: Float64, at address: AudioObjectPropertyAddress, of object: HardwareObject
    ) throws(StatusError) {
        guard case .real(let present) = try value(of: address, of: object) else {
            throw StatusError(kAudioHardwareUnknownPropertyError)
        }
        // A server's rate is a whole number; a program's rate may have a rounding error.
        guard abs(present - sampleRate) < 0.5 else { throw StatusError(kAudioDeviceUnsupportedFormatError) }
    }

    /// Sets the run loop of the listeners.
    ///
    /// - Parameter isNull: True for calls on a thread of the library, where listeners are always called.
    /// - Throws: `kAudioHardwareUnsupportedOperationError` for a run loop.
    func setRunLoop(isNull: Bool) throws(StatusError) {
        guard isNull else { throw StatusError(kAudioHardwareUnsupportedOperationError) }
    }
}
