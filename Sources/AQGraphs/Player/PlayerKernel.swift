// SPDX-License-Identifier: MIT

import AQDevices

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
    private var calls = 0

    init(_ port: PlayerPort) { self.port = port }

    func reset() {}

    func render(_ target: PlanarSamples, _ call: RenderCall) -> Bool {
        nextTime = call.time.sampleTime
        obey(before: call)
        nextTime += Int64(target.frames)
        var done = 0
        if isPlaying, let start {
            let lead = wait(for: start, call)
            done = min(target.frames, lead)
            if done < target.frames { self.start = nil }
            publish(origin: call.time.sampleTime + Int64(lead) - pausedAt)
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

    /// Obeys the calls while nothing is rendered.
    ///
    /// - Parameter time: The node's time of the next slice; nil if it is not known.
    func obey(at time: Int64?) {
        guard obeyCalls() else { return }
        // While it waits for a slice, the kernel knows the time of the next one, unless it was not rendered for long.
        let next = time.map { $0...$0 + Self.leadFrames ~= nextTime ? nextTime : $0 }
        switch start {
        case nil: publish(origin: origin)
        case .now?: publish(origin: next.map { $0 - pausedAt })
        case .nodeTime(let time)?: publish(origin: next.map { max($0, time) - pausedAt })
        case .hostTime?: publish(origin: nil)
        }
    }

    /// The most frames by which a node is rendered ahead of others, if its rate is converted.
    private static let leadFrames: Int64 = 8_192

    private func obey(before call: RenderCall) {
        // A start is published with the slice.
        if obeyCalls(), start == nil { publish(origin: origin) }
    }

    /// Returns whether there were calls.
    private func obeyCalls() -> Bool {
        guard !port.commands.isEmpty else { return false }
        port.commands.take { object in
            guard let command = object as? PlayerCommand else { return }
            switch command.kind {
            case .add(let item): queue.add(item)
            case .play(let start):
                calls += 1
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
        return true
    }

    private func pause() {
        calls += 1
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

    /// Sets the node's time at the player's time 0, and publishes it; nil if it is not known.
    private func publish(origin new: Int64?) {
        origin = new ?? origin
        var timing = PlayerPort.Timing(origin: origin, isRunning: isPlaying && new != nil, calls: calls)
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
