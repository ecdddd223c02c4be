import AudioCodecs
import CAudioToolbox

/// A result of a function of the published interface, on its way through code that throws.
struct StatusError: Error, Equatable {
    /// Never `noErr`.
    let status: OSStatus

    init(_ status: OSStatus) { self.status = status }

    /// Throws anything but `noErr`.
    static func check(_ status: OSStatus) throws(StatusError) {
        if status != noErr { throw StatusError(status) }
    }

    /// The result that stands for an error of any kind that the functions for converters and extended files meet.
    static func status(of error: any Error) -> OSStatus {
        switch error {
        case let error as CodecError: error.status
        case let error as StatusError: error.status
        case let error as AudioFileFault: error.status
        default: kAudioConverterErr_UnspecifiedError
        }
    }
}
