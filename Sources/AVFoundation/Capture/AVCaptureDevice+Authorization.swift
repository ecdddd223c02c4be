// SPDX-License-Identifier: MIT

import Dispatch

/// Whether a program may use devices of a type of media.
public enum AVAuthorizationStatus: Int, Sendable {
    case notDetermined = 0
    case restricted = 1
    case denied = 2
    case authorized = 3
}

extension AVCaptureDevice {
    /// Whether the program may record: always for audio, since the sound server decides that when a recording starts.
    /// Other media have no devices, and are ``AVAuthorizationStatus/restricted``.
    public class func authorizationStatus(for mediaType: AVMediaType) -> AVAuthorizationStatus {
        mediaType == .audio ? .authorized : .restricted
    }

    /// Calls a function on a thread of the library: with true for audio, with false for other media.
    public class func requestAccess(
        for mediaType: AVMediaType, completionHandler handler: @escaping @Sendable (Bool) -> Void
    ) {
        DispatchQueue.global().async { handler(mediaType == .audio) }
    }

    /// Returns true for audio, and false for other media.
    public class func requestAccess(for mediaType: AVMediaType) async -> Bool { mediaType == .audio }
}
