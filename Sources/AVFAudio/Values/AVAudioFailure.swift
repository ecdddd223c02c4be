// SPDX-License-Identifier: MIT

import AudioToolbox
import CoreAudioTypes
import Foundation

/// The errors that methods throw.
enum AVAudioFailure {
    /// The domain of errors of AVFAudio, except those of sessions.
    static let domain = "com.apple.coreaudio.avfaudio"

    /// Makes the error of a status.
    ///
    /// - Parameters:
    ///   - status: The code of the error.
    ///   - text: What failed, and why: `cannot open 'a.wav': no such file`.
    static func error(_ status: OSStatus, _ text: String) -> NSError {
        NSError(domain: domain, code: Int(status), userInfo: [NSLocalizedDescriptionKey: text])
    }

    /// Throws the error of a status unless it is `noErr`.
    ///
    /// - Parameter attempt: The operation, in lower case: `write 'a.wav'`.
    static func check(_ status: OSStatus, _ attempt: @autoclosure () -> String) throws {
        guard status != noErr else { return }
        throw error(status, "cannot \(attempt()): \(text(status))")
    }

    /// The reason of a status if there is a known one, the number, and the four characters that it may be: `unknown file
    /// type (error 1954115647, 'typ?')`.
    static func text(_ status: OSStatus) -> String {
        let code = FourCharacterCode(rawValue: UInt32(bitPattern: status))
        let number = code.isPrintable ? "error \(status), \(code)" : "error \(status)"
        return StatusReason.text(status).map { "\($0) (\(number))" } ?? number
    }
}
