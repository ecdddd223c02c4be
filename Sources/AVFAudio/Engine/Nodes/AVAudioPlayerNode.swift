// SPDX-License-Identifier: MIT

import AQGraphs
import Dispatch
import Foundation

/// Plays buffers, files and segments of files, one after the other without a gap.
///
/// Any thread may call a player. Calls take effect with the next slice, in their order. Handlers are called on a queue of
/// the engine, and may call the player and the engine.
open class AVAudioPlayerNode: AVAudioNode, AVAudioMixing {
    let player = PlayerElement()
    /// The queue of handlers.
    let handlers = DispatchQueue(label: "audio player handlers")

    public init() {
        super.init(part: NodePart(player, .player, inputs: 0, outputs: 1))
    }

    deinit {
        player.stop()
        player.obey()
        GraphMessenger.shared.wake()
    }

    // MARK: Control

    /// Plays what is scheduled, and what will be. If the engine does not run, playback starts with it.
    open func play() { play(.now) }

    /// Plays from a time on, which is a host time, or a sample time of ``AVAudioNode/lastRenderTime``. A time that has
    /// passed, or nil, means as soon as possible. In manual rendering only sample times are used.
    open func play(at when: AVAudioTime?) {
        guard let when else { return play(.now) }
        if when.isSampleTimeValid {
            play(.nodeTime(frames(when)))
        } else if when.isHostTimeValid {
            play(.hostTime(when.hostTime))
        } else {
            MisuseNote.write("a player starts at once: the time has neither a sample time nor a host time")
            play(.now)
        }
    }

    private func play(_ start: PlayerElement.Start) {
        player.play(start)
        part.core?.obeyIfIdle(part)
    }

    /// Pauses. Scheduled buffers and files are kept, and the player's time does not advance.
    open func pause() {
        player.pause()
        part.core?.obeyIfIdle(part)
    }

    /// Stops, and drops what is scheduled: its handlers are called. The player's time becomes 0.
    open func stop() {
        player.stop()
        guard let core = part.core else { return obey() }
        core.obeyIfIdle(part)
    }

    private func obey() {
        player.obey()
        GraphMessenger.shared.wake()
    }

    /// Has no effect: the beginning of a file is read when it is scheduled.
    open func prepare(withFrameCount frameCount: AVAudioFrameCount) {}

    /// Whether the player plays, or would if something were scheduled.
    open var isPlaying: Bool { player.isPlaying }

    // MARK: Times

    /// Returns the time of the node, in frames since the engine's start without pauses, for a time of the player; nil unless
    /// the engine runs and the player plays, which it does when ``play()`` has returned.
    ///
    /// The host time is that at which the frame is audible; there is none in manual rendering. After a call of ``play()``,
    /// this waits until the rendering thread has obeyed, which takes about a slice.
    open func nodeTime(forPlayerTime playerTime: AVAudioTime) -> AVAudioTime? {
        guard let timeline, let frame = nodeFrame(playerTime, timeline) else { return nil }
        return timeline.time(frame, atFrame: frame, playerTime)
    }

    /// Returns the time of the player, in frames since it began without pauses, for a time of the node, such as
    /// ``AVAudioNode/lastRenderTime``; nil unless the engine runs and the player plays. Negative before a start that is still
    /// to come. Waits like ``nodeTime(forPlayerTime:)``.
    open func playerTime(forNodeTime nodeTime: AVAudioTime) -> AVAudioTime? {
        guard let timeline, let frame = frame(nodeTime, timeline),
            let played = player.playerTime(forNodeTime: frame)
        else { return nil }
        return timeline.time(played, atFrame: frame, nodeTime)
    }

    /// The node's times; nil unless the engine runs.
    private var timeline: NodeTimeline? {
        guard let core = part.core, core.isRendering else { return nil }
        core.awaitObedience(part)
        let rate = core.renderedFormat(of: part).sampleRate
        return rate > 0 ? NodeTimeline(sampleRate: rate, slice: part.clock.lastTime) : nil
    }

    /// The frame of a time of the node.
    private func frame(_ time: AVAudioTime, _ timeline: NodeTimeline) -> Int64? {
        if time.isSampleTimeValid { return frames(time) }
        return time.isHostTimeValid ? timeline.frame(atHostTime: time.hostTime) : nil
    }

    /// The node's frame of a time of the player. A host time is the same for both.
    private func nodeFrame(_ time: AVAudioTime, _ timeline: NodeTimeline) -> Int64? {
        if time.isSampleTimeValid { return player.nodeTime(forPlayerTime: frames(time)) }
        return player.isPlaying ? frame(time, timeline) : nil
    }
}
