// SPDX-License-Identifier: MIT

public import AudioToolbox
public import Foundation

/// Whether a caller renders an engine, instead of a device.
public enum AVAudioEngineManualRenderingMode: Int, Sendable {
    /// As fast as the caller wants. Nodes wait for files.
    case offline = 0
    /// On a thread that must not wait.
    case realtime = 1
}

/// The result of a manual rendering.
public enum AVAudioEngineManualRenderingStatus: Int, Sendable {
    case error = -1
    case success = 0
    /// The block of the input node had too few frames; silence was rendered for them.
    case insufficientDataFromInputNode = 1
    /// Nothing was rendered; try again.
    case cannotDoInCurrentContext = 2
}

/// The errors of manual rendering.
public enum AVAudioEngineManualRenderingError: OSStatus, Sendable, Error {
    /// The engine is not in the mode that the call needs.
    case invalidMode = -80800
    case initialized = -80801
    case notRunning = -80802
}

/// Renders frames into a list, and returns the status; the error is that of the failure.
public typealias AVAudioEngineManualRenderingBlock = (
    AVAudioFrameCount, UnsafeMutablePointer<AudioBufferList>, UnsafeMutablePointer<OSStatus>?
) -> AVAudioEngineManualRenderingStatus

/// Returns frames for the input node; nil if there are none. The list is read before the next call.
public typealias AVAudioIONodeInputBlock = (AVAudioFrameCount) -> UnsafePointer<AudioBufferList>?

extension Notification.Name {
    /// Posted after the rate or the channels of an engine's device have changed, or another device is used. The engine
    /// goes on. The object is the engine.
    public static let AVAudioEngineConfigurationChange = Notification.Name(
        "AVAudioEngineConfigurationChangeNotification")
}
