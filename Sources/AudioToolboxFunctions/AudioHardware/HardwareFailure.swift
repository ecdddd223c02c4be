import AudioDevices
import CAudioToolbox

/// A failure of a call on an object of the hardware API: one of the published results.
struct HardwareFailure: Error, Equatable, Sendable {
    let status: OSStatus

    /// The number has no object, or its device has vanished.
    static let badObject = HardwareFailure(status: kAudioHardwareBadObjectError)
    /// The object has no such property, or not in this scope, or not for this channel.
    static let unknownProperty = HardwareFailure(status: kAudioHardwareUnknownPropertyError)
    /// The memory is too small for the value, or does not have its size.
    static let badPropertySize = HardwareFailure(status: kAudioHardwareBadPropertySizeError)
    /// The property cannot be set, or not to this value.
    static let unsupportedOperation = HardwareFailure(status: kAudioHardwareUnsupportedOperationError)
    /// The call contradicts an earlier one, or there is nothing that it could undo.
    static let illegalOperation = HardwareFailure(status: kAudioHardwareIllegalOperationError)
    /// The device does not support this rate.
    static let unsupportedFormat = HardwareFailure(status: kAudioDeviceUnsupportedFormatError)
    /// An argument is missing.
    static let badArgument = HardwareFailure(status: kAudio_ParamError)
}

extension DeviceError {
    /// The result of the hardware API for an error of the devices' module.
    var hardwareFailure: HardwareFailure {
        let status: OSStatus =
            switch code {
            // COMPAT: without devices a system has an empty list; without a server there is no answer.
            case .noServer, .connectionLost: kAudioHardwareNotRunningError
            case .noSuchDevice: kAudioHardwareBadDeviceError
            case .unsupportedFormat: kAudioDeviceUnsupportedFormatError
            case .refused: kAudioHardwareUnspecifiedError
            }
        return HardwareFailure(status: status)
    }
}
