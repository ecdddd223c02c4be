// SPDX-License-Identifier: MIT

public import Foundation

/// A source of a session.
open class AVCaptureInput: NSObject {}

/// A microphone that a session records from.
open class AVCaptureDeviceInput: AVCaptureInput {
    public let device: AVCaptureDevice

    /// Makes an input of a device. Waits for the server's answer.
    ///
    /// - Throws: An error of the domain ``AVFoundationErrorDomain`` with the code -11814 if the device is not
    ///   connected.
    public init(device: AVCaptureDevice) throws {
        guard device.isConnected else {
            throw CaptureFailure.error(
                .deviceNotConnected, "cannot use '\(device.localizedName)': it is not connected")
        }
        self.device = device
        super.init()
    }
}
