// SPDX-License-Identifier: MIT

import AQDevices
import AudioQueues
import Foundation

extension MisuseNote {
    /// Writes the reason of a failure to standard error, for a method that only returns false.
    ///
    /// - Parameter attempt: The operation and its object, in lower case: `play 'a.wav'`.
    static func write(failureTo attempt: String, _ error: any Error) {
        let reason =
            switch error {
            case let error as QueueError: error.message
            case let error as DeviceError: error.message
            default: error.localizedDescription
            }
        write("cannot \(attempt): \(reason)")
    }
}
