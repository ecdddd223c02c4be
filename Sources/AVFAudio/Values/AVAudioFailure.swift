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

    /// The reason that a status stands for, and the status as the four characters that it may be, or as a number.
    static func text(_ status: OSStatus) -> String {
        let characters = FourCharacterCode(rawValue: UInt32(bitPattern: status))
        let code = characters.isPrintable ? "\(characters)" : "\(status)"
        return StatusReason.text(status).map { "\($0) (\(code))" } ?? "error \(code)"
    }
}
