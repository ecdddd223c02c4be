// SPDX-License-Identifier: MIT

/// The items that a player has still to play, in order.
///
/// Used by the rendering thread.
struct PlayQueue {
    private var first: PlayItem?
    private var last: PlayItem?
    /// The position in the first item.
    private var position: Int64 = 0
    /// The number of waiting items that end those before.
    private var interrupters = 0

    /// The rendered part of a slice.
    struct Step {
        var frames: Int
        var hasSound: Bool
    }

    mutating func add(_ item: PlayItem) {
        if let last { last.following = item } else { first = item }
        last = item
        if item.options.interrupts { interrupters += 1 }
    }

    mutating func removeAll(_ finish: (PlayItem) -> Void) {
        while let item = first { remove(item, finish) }
    }

    private mutating func remove(_ item: PlayItem, _ finish: (PlayItem) -> Void) {
        if item.options.interrupts { interrupters -= 1 }
        first = item.following
        if first == nil { last = nil }
        item.following = nil
        position = 0
        (item.content as? FileContent)?.drop()
        finish(item)
    }

    /// Plays frames of one item, or silence until one begins.
    ///
    /// - Parameter finish: Called with each item that has ended, and its last frame in this slice.
    mutating func play(
        _ target: PlanarSamples, _ call: RenderCall, _ time: SliceTime, playerTime: Int64,
        _ finish: (PlayItem, _ frames: Int) -> Void
    ) -> Step {
        let limit =
            interrupters > 0 ? interrupt(target.frames, call, time, playerTime, finish) : target.frames
        guard let item = first else { return Self.silence(target) }
        if !item.hasBegun {
            let wait = Self.wait(for: item, call, time, playerTime)
            if wait > 0 { return Self.silence(target.prefix(min(wait, limit))) }
            item.hasBegun = true
        }
        let slice = target.prefix(limit)
        let count = item.content.read(from: position, into: slice, call)
        position += Int64(count)
        if let length = item.content.length, position >= length {
            if item.options.loops, !endsLoop(item.following, call, time, playerTime + Int64(count)) {
                // A loop without frames would not end.
                if length == 0 { return Self.silence(target) }
                position = 0
            } else {
                remove(item) { finish($0, count) }
            }
            return Step(frames: count, hasSound: count > 0)
        }
        if count == 0 { return Self.silence(slice) }
        return Step(frames: count, hasSound: true)
    }

    private static func silence(_ target: PlanarSamples) -> Step {
        target.silence()
        return Step(frames: target.frames, hasSound: false)
    }

    /// The frames before an item begins.
    private static func wait(
        for item: PlayItem, _ call: RenderCall, _ time: SliceTime, _ playerTime: Int64
    ) -> Int {
        switch item.start {
        case .next: 0
        case .playerTime(let start): max(0, Int(clamping: start - playerTime))
        case .hostTime(let start): time.frames(until: start, sampleRate: call.format.sampleRate)
        }
    }

    /// Whether the item after a loop ends it.
    private func endsLoop(
        _ item: PlayItem?, _ call: RenderCall, _ time: SliceTime, _ playerTime: Int64
    ) -> Bool {
        guard let item, item.options.interrupts || item.options.interruptsAtLoop else { return false }
        return Self.wait(for: item, call, time, playerTime) == 0
    }

    /// Ends the items before one that interrupts now; returns the frames until another does.
    private mutating func interrupt(
        _ frames: Int, _ call: RenderCall, _ time: SliceTime, _ playerTime: Int64,
        _ finish: (PlayItem, Int) -> Void
    ) -> Int {
        var limit = frames
        var (interrupter, next): (PlayItem?, PlayItem?) = (nil, first?.following)
        while let item = next {
            next = item.following
            guard item.options.interrupts else { continue }
            let wait = Self.wait(for: item, call, time, playerTime)
            if wait == 0 { interrupter = item } else { limit = min(limit, wait) }
        }
        while let interrupter, let item = first, item !== interrupter { remove(item) { finish($0, 0) } }
        return limit
    }
}
