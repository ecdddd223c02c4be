// SPDX-License-Identifier: MIT

public import Foundation

extension AVCaptureDevice {
    /// A microphone has appeared. The object is the device.
    ///
    /// Posted on a queue of the library, from the first search for devices on.
    public static let wasConnectedNotification = NSNotification.Name(
        "AVCaptureDeviceWasConnectedNotification")

    /// A microphone has disappeared. The object is the device.
    ///
    /// Posted on a queue of the library, from the first search for devices on. If the sound server ends, its devices
    /// count as connected until it is there again.
    public static let wasDisconnectedNotification = NSNotification.Name(
        "AVCaptureDeviceWasDisconnectedNotification")
}

extension NSNotification.Name {
    /// The older name of ``AVCaptureDevice/wasConnectedNotification``.
    public static let AVCaptureDeviceWasConnected = AVCaptureDevice.wasConnectedNotification
    /// The older name of ``AVCaptureDevice/wasDisconnectedNotification``.
    public static let AVCaptureDeviceWasDisconnected = AVCaptureDevice.wasDisconnectedNotification
}
