// SPDX-License-Identifier: MIT

import AQGraphs
import Foundation

/// Called when a buffer or a file is no longer needed. On a queue of the engine.
public typealias AVAudioNodeCompletionHandler = @Sendable () -> Void
/// As ``AVAudioNodeCompletionHandler``, with the moment that was asked for.
public typealias AVAudioPlayerNodeCompletionHandler =
    @Sendable (AVAudioPlayerNodeCompletionCallbackType) -> Void

/// How a buffer is played.
public struct AVAudioPlayerNodeBufferOptions: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Begins again at its end, until the player stops or another buffer interrupts.
    public static let loops = AVAudioPlayerNodeBufferOptions(rawValue: 1)
    /// Replaces what is played and scheduled.
    public static let interrupts = AVAudioPlayerNodeBufferOptions(rawValue: 2)
    /// Replaces what is played at the end of its loop.
    public static let interruptsAtLoop = AVAudioPlayerNodeBufferOptions(rawValue: 4)
}

/// When a handler is called. It is also called if playback is stopped or interrupted.
public enum AVAudioPlayerNodeCompletionCallbackType: Int, Sendable {
    /// The data is no longer needed.
    case dataConsumed = 0
    /// The data has left the player.
    case dataRendered = 1
    /// The end has been heard: with the delay of the device.
    case dataPlayedBack = 2
}

extension AVAudioPlayerNode {
    /// Schedules a buffer after those before. It must not be changed until it was played.
    ///
    /// - Parameter buffer: With the number of channels of the node's output; other channels are dropped or silent. Its
    ///   rate is taken to be that of the output.
    public func scheduleBuffer(
        _ buffer: AVAudioPCMBuffer, completionHandler: AVAudioNodeCompletionHandler? = nil
    ) {
        schedule(buffer, nil, [], .dataConsumed, Self.anyType(completionHandler))
    }

    /// Schedules a buffer after those before.
    public func scheduleBuffer(
        _ buffer: AVAudioPCMBuffer,
        completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType,
        completionHandler: AVAudioPlayerNodeCompletionHandler? = nil
    ) {
        schedule(buffer, nil, [], callbackType, completionHandler)
    }

    /// Schedules a buffer.
    ///
    /// - Parameter when: A sample time since the player's start, or a host time; nil for after those before. A time that
    ///   has passed means as soon as possible.
    public func scheduleBuffer(
        _ buffer: AVAudioPCMBuffer, at when: AVAudioTime?, options: AVAudioPlayerNodeBufferOptions = [],
        completionHandler: AVAudioNodeCompletionHandler? = nil
    ) {
        schedule(buffer, when, options, .dataConsumed, Self.anyType(completionHandler))
    }

    /// Schedules a buffer.
    public func scheduleBuffer(
        _ buffer: AVAudioPCMBuffer, at when: AVAudioTime?, options: AVAudioPlayerNodeBufferOptions = [],
        completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType,
        completionHandler: AVAudioPlayerNodeCompletionHandler? = nil
    ) {
        schedule(buffer, when, options, callbackType, completionHandler)
    }

    /// Schedules a file, whose rate and channels are converted. It is read while it is played, by a reader of its own.
    public func scheduleFile(
        _ file: AVAudioFile, at when: AVAudioTime?, completionHandler: AVAudioNodeCompletionHandler? = nil
    ) {
        scheduleSegment(
            file, startingFrame: 0, frameCount: AVAudioFrameCount(clamping: file.length), at: when,
            completionHandler: completionHandler)
    }

    /// Schedules a file.
    public func scheduleFile(
        _ file: AVAudioFile, at when: AVAudioTime?,
        completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType,
        completionHandler: AVAudioPlayerNodeCompletionHandler? = nil
    ) {
        scheduleSegment(
            file, startingFrame: 0, frameCount: AVAudioFrameCount(clamping: file.length), at: when,
            completionCallbackType: callbackType, completionHandler: completionHandler)
    }

    /// Schedules frames of a file, counted at its own rate. Those after its end are left out.
    public func scheduleSegment(
        _ file: AVAudioFile, startingFrame startFrame: AVAudioFramePosition,
        frameCount numberFrames: AVAudioFrameCount, at when: AVAudioTime?,
        completionHandler: AVAudioNodeCompletionHandler? = nil
    ) {
        schedule(
            file, startFrame, numberFrames, when, .dataConsumed,
            Self.anyType(completionHandler))
    }

    /// Schedules frames of a file.
    public func scheduleSegment(
        _ file: AVAudioFile, startingFrame startFrame: AVAudioFramePosition,
        frameCount numberFrames: AVAudioFrameCount, at when: AVAudioTime?,
        completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType,
        completionHandler: AVAudioPlayerNodeCompletionHandler? = nil
    ) {
        schedule(file, startFrame, numberFrames, when, callbackType, completionHandler)
    }
}
