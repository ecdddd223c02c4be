import AudioCodecs
import CAudioToolbox

/// A result of a published function, as an error in code that throws.
struct StatusError: Error, Equatable {
    /// Never `noErr`.
    let status: OSStatus

    init(_ status: OSStatus) { self.status = status }

    /// Throws anything but `noErr`.
    static func check(_ status: OSStatus) throws(StatusError) {
        if status != noErr { throw StatusError(status) }
    }

    /// The result for any error that the functions for converters and extended files encounter.
    static func status(of error: any Error) -> OSStatus {
        switch error {
        case let error as CodecError: error.status
        case let error as StatusError: error.status
        case let error as AudioFileFault: error.status
        default: kAudioConverterErr_UnspecifiedError
        }
    }
}
