import AudioDevices
import CAudioToolbox

/// Why a call on an object of the hardware API fails: one of the published results.
struct HardwareFailure: Error, Equatable, Sendable {
    let status: OSStatus

    /// No object has the number, or it stands for a device that is gone.
    static let badObject = HardwareFailure(status: kAudioHardwareBadObjectError)
    /// The object has no such property, not in this scope, or not for this channel.
    static let unknownProperty = HardwareFailure(status: kAudioHardwareUnknownPropertyError)
    /// The memory does not hold the value, or is not of its size.
    static let badPropertySize = HardwareFailure(status: kAudioHardwareBadPropertySizeError)
    /// The property cannot be changed, or not in this way.
    static let unsupportedOperation = HardwareFailure(status: kAudioHardwareUnsupportedOperationError)
    /// The call contradicts an earlier one, or there was none that it could undo.
    static let illegalOperation = HardwareFailure(status: kAudioHardwareIllegalOperationError)
    /// The device cannot have this rate.
    static let unsupportedFormat = HardwareFailure(status: kAudioDeviceUnsupportedFormatError)
    /// An argument is missing.
    static let badArgument = HardwareFailure(status: kAudio_ParamError)
}

extension DeviceError {
    /// The result of the hardware API for an error of the devices' module.
    var hardwareFailure: HardwareFailure {
        let status: OSStatus =
            switch code {
            // COMPAT: without devices a system has an empty list; without a server nothing can be said at all.
            case .noServer, .connectionLost: kAudioHardwareNotRunningError
            case .noSuchDevice: kAudioHardwareBadDeviceError
            case .unsupportedFormat: kAudioDeviceUnsupportedFormatError
            case .refused: kAudioHardwareUnspecifiedError
            }
        return HardwareFailure(status: status)
    }
}
