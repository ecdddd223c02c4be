// SPDX-License-Identifier: MIT

import AudioDevices

/// Plays the items of a player.
///
/// Used by the rendering thread, or while nothing is rendered.
final class PlayerKernel: GraphKernel, @unchecked Sendable {
    // SAFETY: one thread at a time renders, or obeys calls while nothing is rendered.

    private let port: PlayerPort
    private var queue = PlayQueue()
    private var isPlaying = false
    /// The start that is still to come.
    private var start: PlayerElement.Start?
    /// The node's time at the player's time 0.
    private var origin: Int64 = 0
    /// The node's time of the next slice.
    private var nextTime: Int64 = 0
    /// The player's time at the last pause.
    private var pausedAt: Int64 = 0
    private var halts = 0

    init(_ port: PlayerPort) { self.port = port }

    func reset() {}

    func render(_ target: PlanarSamples, _ call: RenderCall) -> Bool {
        nextTime = call.time.sampleTime
        obey()
        nextTime += Int64(target.frames)
        var done = 0
        if isPlaying, let start {
            done = min(target.frames, wait(for: start, call))
            if done < target.frames {
                origin = call.time.sampleTime + Int64(done) - pausedAt
                self.start = nil
                publish()
            }
        }
        guard isPlaying, done < target.frames else {
            target.silence()
            return false
        }
        target.prefix(done).silence()
        var hasSound = false
        while done < target.frames {
            let rest = target.dropFirst(done)
            let time = call.time.advanced(frames: done, sampleRate: call.format.sampleRate)
            let step = queue.play(rest, call, time, playerTime: time.sampleTime - origin) {
                finish($0, time, call, $1)
            }
            if step.hasSound { hasSound = true }
            done += step.frames
        }
        return hasSound
    }

    /// Obeys the calls that were made.
    func obey() {
        guard !port.commands.isEmpty else { return }
        port.commands.take { object in
            guard let command = object as? PlayerCommand else { return }
            switch command.kind {
            case .add(let item): queue.add(item)
            case .play(let start):
                if !isPlaying { self.start = start }
                isPlaying = true
            case .pause: pause()
            case .stop:
                pause()
                pausedAt = 0
                queue.removeAll { GraphMessenger.shared.retire($0) }
            }
            GraphMessenger.shared.retire(command)
        }
        publish()
    }

    private func pause() {
        halts += 1
        if isPlaying, start == nil { pausedAt = nextTime - origin }
        isPlaying = false
        start = nil
    }

    /// The frames of the slice before the start; possibly more than the slice has.
    private func wait(for start: PlayerElement.Start, _ call: RenderCall) -> Int {
        switch start {
        case .now: 0
        case .nodeTime(let time): max(0, Int(clamping: time - call.time.sampleTime))
        case .hostTime(let time): call.time.frames(until: time, sampleRate: call.format.sampleRate)
        }
    }

    /// Passes an item that has ended to the messenger.
    private func finish(_ item: PlayItem, _ time: SliceTime, _ call: RenderCall, _ frames: Int) {
        let end = time.advanced(frames: frames, sampleRate: call.format.sampleRate)
        item.audibleTime = end.hostTime
        GraphMessenger.shared.retire(item)
    }

    private func publish() {
        var timing = PlayerPort.Timing(
            origin: origin, isRunning: isPlaying && start == nil, halts: halts)
        unsafe port.timing.publish(&timing)
    }
}

extension SliceTime {
    /// The frames from this time to a host time; 0 if it is past, or this one is not known.
    func frames(until time: UInt64, sampleRate: Double) -> Int {
        guard hostTime != 0, time > hostTime else { return 0 }
        return Int((min(Double(time - hostTime) / 1e9, 1e9) * sampleRate).rounded())
    }
}
