// SPDX-License-Identifier: MIT

/// The order in which the tracks of a list are played, step by step, also backwards.
struct PlayOrder {
    let trackCount: Int
    /// The number of times that the list is played; nil for no end.
    var passes: Int?
    /// The seed of a shuffled order; nil for the order of the list.
    private(set) var shuffleSeed: UInt64?

    private var shuffledPass = -1
    private var shuffledTracks: [Int] = []
    /// The tracks of the passes around the last change of the order.
    private var fixedPasses: [Int: [Int]] = [:]
    /// Tracks that gave no audio when they were last tried.
    private var silentTracks: Set<Int> = []

    init(trackCount: Int, passes: Int?, shuffleSeed: UInt64?) {
        self.trackCount = trackCount
        self.passes = passes
        self.shuffleSeed = shuffleSeed
    }

    /// The track at `step`, counted from 0 through all passes; nil before the first and after the last.
    mutating func track(at step: Int) -> Int? {
        guard trackCount > 0, step >= 0 else { return nil }
        let pass = step / trackCount
        if let passes, pass >= passes { return nil }
        if let tracks = fixedPasses[pass] { return tracks[step % trackCount] }
        guard let shuffleSeed else { return step % trackCount }
        if pass != shuffledPass {
            // The order depends only on the seed and the pass, so that it is the same after a step back.
            var generator = SplitMix64(state: shuffleSeed &+ UInt64(pass))
            shuffledTracks = (0..<trackCount).shuffled(using: &generator)
            shuffledPass = pass
        }
        return shuffledTracks[step % trackCount]
    }

    /// Changes the order from `step` on: to a shuffled one, or to that of the list if `seed` is nil.
    ///
    /// The other tracks of this pass are still played once each, in the new order. The order of the pass before
    /// remains, because its last tracks may be audible.
    mutating func setShuffle(seed: UInt64?, from step: Int) {
        guard trackCount > 0, step >= 0 else { return }
        let pass = step / trackCount
        let earlier = tracks(ofPass: pass - 1)
        var present = tracks(ofPass: pass)
        shuffleSeed = seed
        shuffledPass = -1
        if !present.isEmpty {
            var rest = present[(step % trackCount)...].sorted()
            if let seed {
                var generator = SplitMix64(state: seed)
                rest.shuffle(using: &generator)
            }
            present.replaceSubrange((step % trackCount)..., with: rest)
        }
        fixedPasses = [pass - 1: earlier, pass: present].filter { !$0.value.isEmpty }
    }

    /// The tracks of a pass in their order; empty before the first pass and after the last.
    private mutating func tracks(ofPass pass: Int) -> [Int] {
        (pass * trackCount..<(pass + 1) * trackCount).compactMap { track(at: $0) }
    }

    /// Records whether the track at `step` could be played. A step back skips tracks that could not.
    mutating func note(step: Int, gaveSound: Bool) {
        guard let track = track(at: step) else { return }
        if gaveSound { silentTracks.remove(track) } else { silentTracks.insert(track) }
    }

    /// Returns the step of the last track before `step` that can be played, or `step` if there is none.
    mutating func stepBack(from step: Int) -> Int {
        var earlier = step - 1
        while let track = track(at: earlier) {
            if !silentTracks.contains(track) { return earlier }
            earlier -= 1
        }
        return step
    }
}

/// A small random number generator that starts from a seed (Steele, Lea, Flood 2014).
private struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
