// SPDX-License-Identifier: MIT

import AudioQueues
import Foundation

/// The domain of errors of capture sessions and assets.
public let AVFoundationErrorDomain = "AVFoundationErrorDomain"

/// The errors of capture sessions.
enum CaptureFailure {
    /// The codes, as published for the domain.
    enum Code: Int {
        case unknown = -11800
        case outOfMemory = -11801
        /// The device has disappeared, or the server has ended, and did not return in time.
        case deviceWasDisconnected = -11808
        case deviceNotConnected = -11814
    }

    /// Makes the error of a code.
    ///
    /// - Parameter text: What failed, and why.
    static func error(_ code: Code, _ text: String) -> NSError {
        NSError(
            domain: AVFoundationErrorDomain, code: code.rawValue,
            userInfo: [NSLocalizedDescriptionKey: text])
    }

    /// Makes the error of a queue's error.
    static func error(_ failure: QueueError, of device: String) -> NSError {
        let code: Code =
            switch failure.code {
            case .queueInvalidated: .deviceWasDisconnected
            case .invalidDevice: .deviceNotConnected
            case .outOfMemory: .outOfMemory
            default: .unknown
            }
        return error(code, "cannot record from '\(device)': \(failure.message)")
    }
}
