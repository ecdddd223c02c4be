// SPDX-License-Identifier: MIT

import AQCodecs
import AQDevices
import AQFiles
import CAQAudioToolbox
import CoreAudioTypes

/// A result of a published function, as an error in code that throws.
struct StatusError: Error, Equatable {
    /// The result of the function; never `noErr`.
    let status: OSStatus

    init(_ status: OSStatus) { self.status = status }

    init(_ error: AudioFileError) { status = error.status }

    init(_ error: CodecError) { status = error.status }

    /// Makes the result of Audio Format Services for a layout that cannot be read.
    init(_ error: ChannelLayoutError) {
        status =
            switch error.code {
            case .truncated: kAudio_ParamError
            case .unknownTag: kAudioFormatUnknownFormatError
            }
    }

    init(_ error: DeviceError) {
        status =
            switch error.code {
            // COMPAT: without devices a system has an empty list; without a server there is no answer.
            case .noServer, .connectionLost: kAudioHardwareNotRunningError
            case .noSuchDevice: kAudioHardwareBadDeviceError
            case .unsupportedFormat: kAudioDeviceUnsupportedFormatError
            case .refused: kAudioHardwareUnspecifiedError
            }
    }

    /// Calls `body`, and translates its errors.
    ///
    /// - Parameter unsupported: The result if the file does not support the operation; by default the one for a
    ///   data format.
    static func translating<Result>(
        unsupported: OSStatus = kAudioFileUnsupportedDataFormatError,
        _ body: () throws(AudioFileError) -> Result
    ) throws(StatusError) -> Result {
        do throws(AudioFileError) { return try body() } catch {
            throw StatusError(error.code == .unsupported ? unsupported : error.status)
        }
    }

    /// Returns the result of `body`: `noErr`, or the error that it throws.
    static func result(of body: () throws(StatusError) -> Void) -> OSStatus {
        do throws(StatusError) {
            try body()
            return noErr
        } catch { return error.status }
    }

    /// Throws a result other than `noErr`.
    static func check(_ status: OSStatus) throws(StatusError) {
        if status != noErr { throw StatusError(status) }
    }

    /// The result for any error that the functions for converters and extended files encounter.
    static func status(of error: any Error) -> OSStatus {
        switch error {
        case let error as CodecError: error.status
        case let error as StatusError: error.status
        default: kAudioConverterErr_UnspecifiedError
        }
    }
}
