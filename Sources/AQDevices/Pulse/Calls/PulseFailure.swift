// SPDX-License-Identifier: MIT

import CAQPulse

/// The PulseAudio error numbers that are handled individually.
enum PulseError {
    static let noEntity = Int32(PA_ERR_NOENTITY.rawValue)
    static let invalidArgument = Int32(PA_ERR_INVALID.rawValue)
    static let timeout = Int32(PA_ERR_TIMEOUT.rawValue)
    static let connectionTerminated = Int32(PA_ERR_CONNECTIONTERMINATED.rawValue)
}

extension DeviceError {
    /// An error with PulseAudio's message for its number.
    static func pulse(_ code: Code, _ attempt: String, errorNumber: Int32) -> DeviceError {
        let words = unsafe pa_strerror(errorNumber).map { unsafe String(cString: $0) } ?? "unknown error"
        return DeviceError(code, "\(attempt): \(words.lowercased()) (PulseAudio error \(errorNumber))")
    }
}
