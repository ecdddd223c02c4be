// SPDX-License-Identifier: MIT

public import Foundation

/// The key of the `NSError` of ``AVCaptureSession/runtimeErrorNotification``.
public let AVCaptureSessionErrorKey = "AVCaptureSessionErrorKey"

/// The notifications, whose object is the session. They are posted on the thread of the call that causes them, or on
/// one of the library.
extension AVCaptureSession {
    /// The session could not start, or has stopped because of an error, which is in user info.
    public static let runtimeErrorNotification = NSNotification.Name(
        "AVCaptureSessionRuntimeErrorNotification")
    /// The session has started.
    public static let didStartRunningNotification = NSNotification.Name(
        "AVCaptureSessionDidStartRunningNotification")
    /// The session has stopped.
    public static let didStopRunningNotification = NSNotification.Name(
        "AVCaptureSessionDidStopRunningNotification")
    /// Never posted: other programs do not take a microphone away.
    public static let wasInterruptedNotification = NSNotification.Name(
        "AVCaptureSessionWasInterruptedNotification")
    /// Never posted.
    public static let interruptionEndedNotification = NSNotification.Name(
        "AVCaptureSessionInterruptionEndedNotification")

    /// A quality of video. The raw value is the name in C.
    public struct Preset: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let high = Preset(rawValue: "AVCaptureSessionPresetHigh")
        public static let medium = Preset(rawValue: "AVCaptureSessionPresetMedium")
        public static let low = Preset(rawValue: "AVCaptureSessionPresetLow")
        public static let inputPriority = Preset(rawValue: "AVCaptureSessionPresetInputPriority")
    }
}

extension NSNotification.Name {
    /// The older name of ``AVCaptureSession/runtimeErrorNotification``.
    public static let AVCaptureSessionRuntimeError = AVCaptureSession.runtimeErrorNotification
    /// The older name of ``AVCaptureSession/didStartRunningNotification``.
    public static let AVCaptureSessionDidStartRunning = AVCaptureSession.didStartRunningNotification
    /// The older name of ``AVCaptureSession/didStopRunningNotification``.
    public static let AVCaptureSessionDidStopRunning = AVCaptureSession.didStopRunningNotification
    /// The older name of ``AVCaptureSession/wasInterruptedNotification``.
    public static let AVCaptureSessionWasInterrupted = AVCaptureSession.wasInterruptedNotification
    /// The older name of ``AVCaptureSession/interruptionEndedNotification``.
    public static let AVCaptureSessionInterruptionEnded = AVCaptureSession.interruptionEndedNotification
}
