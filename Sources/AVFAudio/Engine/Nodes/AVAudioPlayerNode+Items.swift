// SPDX-License-Identifier: MIT

import AQGraphs
import AudioToolbox
import CoreAudioTypes
import Foundation

/// Makes items of the graph's player from buffers and files.
extension AVAudioPlayerNode {
    func schedule(
        _ buffer: AVAudioPCMBuffer, _ when: AVAudioTime?, _ options: AVAudioPlayerNodeBufferOptions,
        _ type: AVAudioPlayerNodeCompletionCallbackType, _ handler: AVAudioPlayerNodeCompletionHandler?
    ) {
        let channels = outputFormat(forBus: 0).channelCount
        if channels > 0, buffer.format.channelCount != channels {
            MisuseNote.write(
                "a buffer of \(buffer.format.channelCount) channels is played by a node of \(channels)")
        }
        guard
            let reader = unsafe SampleReader(
                buffer.format.asbd, UnsafeMutableAudioBufferListPointer(buffer.mutableAudioBufferList))
        else {
            MisuseNote.write("a buffer is left out: its format is not supported")
            return fail(type, handler)
        }
        let content = BufferContent(
            reader, frames: Int(buffer.frameLength), owner: BufferOwner(buffer: buffer))
        var settings = PlayItem.Options()
        settings.loops = options.contains(.loops) && buffer.frameLength > 0
        settings.interrupts = options.contains(.interrupts)
        settings.interruptsAtLoop = options.contains(.interruptsAtLoop)
        add(content, when, settings, type, handler)
    }

    func schedule(
        _ file: AVAudioFile, _ startFrame: AVAudioFramePosition, _ frames: AVAudioFrameCount,
        _ when: AVAudioTime?, _ type: AVAudioPlayerNodeCompletionCallbackType,
        _ handler: AVAudioPlayerNodeCompletionHandler?
    ) {
        let format = part.core?.renderedFormat(of: part) ?? file.processingFormat.graphFormat
        guard startFrame >= 0, let reader = try? SegmentReader(file.url, startFrame, Int64(frames), format)
        else {
            MisuseNote.write("a segment of '\(file.url.lastPathComponent)' is left out: it cannot be read")
            return fail(type, handler)
        }
        let content = FileContent(channels: format.channels) { reader.read($0) }
        add(content, when, PlayItem.Options(), type, handler)
    }

    private func add(
        _ content: any PlayContent, _ when: AVAudioTime?, _ options: PlayItem.Options,
        _ type: AVAudioPlayerNodeCompletionCallbackType, _ handler: AVAudioPlayerNodeCompletionHandler?
    ) {
        let moment: PlayItem.Moment =
            switch type {
            case .dataConsumed: .consumed
            case .dataRendered: .rendered
            case .dataPlayedBack: .heard
            }
        var call: (@Sendable () -> Void)?
        if let handler { call = { handler(type) } }
        let item = PlayItem(
            content, start: start(when), options: options, moment: moment, on: handlers,
            call)
        player.schedule(item)
        GraphMessenger.shared.wake()
    }

    private func start(_ when: AVAudioTime?) -> PlayItem.Start {
        guard let when else { return .next }
        if when.isSampleTimeValid {
            return .playerTime(frames(when))
        }
        if when.isHostTimeValid { return .hostTime(when.hostTime) }
        MisuseNote.write("a buffer has a time without sample time and host time: it follows the one before")
        return .next
    }

    /// Returns the sample time of a time, in frames of the node.
    func frames(_ time: AVAudioTime) -> AVAudioFramePosition {
        let rate = part.core?.renderedFormat(of: part).sampleRate ?? 0
        let factor = time.sampleRate > 0 && rate > 0 ? rate / time.sampleRate : 1
        let frames = factor == 1 ? time.sampleTime : .init(nearest: Double(time.sampleTime) * factor)
        // Far enough from the limits for differences.
        return max(-1 << 60, min(frames, 1 << 60))
    }

    /// Returns a handler that gets the moment, and calls one that does not.
    static func anyType(_ handler: AVAudioNodeCompletionHandler?) -> AVAudioPlayerNodeCompletionHandler? {
        guard let handler else { return nil }
        return { _ in handler() }
    }

    private func fail(
        _ type: AVAudioPlayerNodeCompletionCallbackType, _ handler: AVAudioPlayerNodeCompletionHandler?
    ) {
        if let handler { handlers.async { handler(type) } }
    }
}

/// Keeps a buffer alive that is played.
private struct BufferOwner: @unchecked Sendable {
    // SAFETY: the buffer is only kept; its memory is read by the rendering thread.
    let buffer: AVAudioPCMBuffer
}
