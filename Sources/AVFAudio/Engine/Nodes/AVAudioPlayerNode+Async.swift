// SPDX-License-Identifier: MIT

import Foundation

extension AVAudioPlayerNode {
    /// Schedules a buffer, and returns when it is no longer needed.
    public func scheduleBuffer(
        _ buffer: AVAudioPCMBuffer, at when: AVAudioTime? = nil, options: AVAudioPlayerNodeBufferOptions = []
    ) async {
        await withCheckedContinuation { continuation in
            schedule(buffer, when, options, .dataConsumed) { _ in continuation.resume() }
        }
    }

    /// Schedules a buffer, and returns at a moment.
    @discardableResult
    public func scheduleBuffer(
        _ buffer: AVAudioPCMBuffer, at when: AVAudioTime? = nil, options: AVAudioPlayerNodeBufferOptions = [],
        completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType
    ) async -> AVAudioPlayerNodeCompletionCallbackType {
        await withCheckedContinuation { continuation in
            schedule(buffer, when, options, callbackType) { continuation.resume(returning: $0) }
        }
    }

    /// Schedules a file, and returns when it is no longer needed.
    public func scheduleFile(_ file: AVAudioFile, at when: AVAudioTime?) async {
        await withCheckedContinuation { continuation in
            schedule(file, 0, AVAudioFrameCount(clamping: file.length), when, .dataConsumed) { _ in
                continuation.resume()
            }
        }
    }

    /// Schedules a file, and returns at a moment.
    @discardableResult
    public func scheduleFile(
        _ file: AVAudioFile, at when: AVAudioTime?,
        completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType
    ) async -> AVAudioPlayerNodeCompletionCallbackType {
        await withCheckedContinuation { continuation in
            schedule(file, 0, AVAudioFrameCount(clamping: file.length), when, callbackType) {
                continuation.resume(returning: $0)
            }
        }
    }

    /// Schedules frames of a file, and returns when they are no longer needed.
    public func scheduleSegment(
        _ file: AVAudioFile, startingFrame startFrame: AVAudioFramePosition,
        frameCount numberFrames: AVAudioFrameCount, at when: AVAudioTime?
    ) async {
        await withCheckedContinuation { continuation in
            schedule(file, startFrame, numberFrames, when, .dataConsumed) { _ in continuation.resume() }
        }
    }

    /// Schedules frames of a file, and returns at a moment.
    @discardableResult
    public func scheduleSegment(
        _ file: AVAudioFile, startingFrame startFrame: AVAudioFramePosition,
        frameCount numberFrames: AVAudioFrameCount, at when: AVAudioTime?,
        completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType
    ) async -> AVAudioPlayerNodeCompletionCallbackType {
        await withCheckedContinuation { continuation in
            schedule(file, startFrame, numberFrames, when, callbackType) {
                continuation.resume(returning: $0)
            }
        }
    }
}
