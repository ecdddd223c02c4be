// SPDX-License-Identifier: MIT

import CoreAudioTypes
import Foundation

/// The errors that members throw for results of the C functions.
enum MediaFailure {
    /// Throws the error of a result unless it is 0.
    ///
    /// - Parameter attempt: The operation, in lower case: `copy the bytes of a block buffer`.
    static func check(_ status: OSStatus, _ attempt: @autoclosure () -> String) throws {
        if status != 0 { throw error(status, attempt()) }
    }

    static func error(_ status: OSStatus, _ attempt: String) -> NSError {
        NSError(
            domain: NSOSStatusErrorDomain, code: Int(status),
            userInfo: [
                NSLocalizedDescriptionKey: "cannot \(attempt): error \(StatusCode(rawValue: status))"
            ])
    }
}
