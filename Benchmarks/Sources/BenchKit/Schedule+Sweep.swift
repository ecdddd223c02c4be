// SPDX-License-Identifier: MIT

/// The settings of the sweep, and the parameters of the frontier.
extension Schedule {
    /// Lengths from 0.5 ms to 100 ms, in frames at 48 kHz.
    private static let lengths = [24, 48, 96, 240, 480, 960, 2400, 4800]
    /// Lengths for three buffers in fine steps, to find the shortest one without a gap.
    private static let fineLengths = [12, 16, 20, 28, 32, 36, 40, 44, 52, 56, 60, 64, 72, 80]

    /// Returns the settings of a library's sweep, without those that are equal for it.
    public func sweep(of peer: PeerTraits) -> [BufferSetting] {
        if let settings = overrides.settings { return settings }
        var all: [BufferSetting] = []
        func add(_ buffers: [Int], _ frames: [Int]) {
            all += buffers.flatMap { count in frames.map { BufferSetting(buffers: count, frames: $0) } }
        }
        switch (effort, hasFixedPeriod) {
        case (.quick, _): if peer.isContender { add([3], [16, 24, 32, 40, 64, 96]) }
        case (_, true): add([3], [96, 240, 480, 2400])
        case (.normal, _): add([2, 3, 4], [24, 48, 72, 96, 144, 240, 480])
        case (.full, _):
            add(peer.isContender || peer.asks == .total ? [2, 3, 8] : [2], Self.lengths)
            if !peer.isContender { add([8], Self.lengths.filter { $0 != 24 && $0 != 96 && $0 != 480 }) }
            if peer.isContender { add([3], Self.fineLengths) }
        }
        return Self.withoutRepeats(all, asks: peer.asks)
    }

    /// Removes settings that are equal for a library: the same period, or totals that differ by at most 7 %.
    static func withoutRepeats(_ settings: [BufferSetting], asks: PeerTraits.Asks) -> [BufferSetting] {
        var kept: [BufferSetting] = []
        for setting in settings {
            let isKnown = kept.contains { known in
                switch asks {
                case .period: known.frames == setting.frames
                case .total:
                    abs(Double(known.totalFrames - setting.totalFrames)) <= 0.07 * Double(setting.totalFrames)
                case .both: known == setting
                }
            }
            if !isKnown { kept.append(setting) }
        }
        return kept
    }

    /// Returns the duration of a run in seconds: a few rounds of buffers after the first second, which does not count.
    public func sweepSeconds(_ setting: BufferSetting, sampleRate: Double) -> Double {
        max(effort == .quick ? 2.2 : 2.4, 1.5 + 3 * Double(setting.totalFrames) / sampleRate)
    }

    /// The time in seconds for which a setting must have no gap.
    public var frontierSeconds: Double {
        overrides.seconds ?? (effort == .quick ? 6 : effort == .full ? 60 : 10)
    }

    /// The durations in seconds of a setting's runs, until one has a gap. Most failures occur in the first.
    public var frontierStages: [Double] {
        effort == .full ? [5, 15, 60].filter { $0 < frontierSeconds } + [frontierSeconds] : [frontierSeconds]
    }

    /// The most gaps in a short run after which a setting is tried: a single stall of the machine proves little.
    public static let mostGapsOfCandidates = 2

    /// The largest number of settings of a library that are tried.
    public var frontierTries: Int { effort == .quick || hasFixedPeriod ? 2 : effort == .full ? 12 : 5 }

    /// Returns the number of times that a setting without a gap in its shortest run is tried again.
    public func frontierRepeats(of peer: PeerTraits) -> Int {
        effort == .full && !hasFixedPeriod && peer.isContender ? 1 : 0
    }

    /// The number of times that a run is repeated if the machine disturbed it.
    public static let mostDisturbedRuns = 2

    /// The time in seconds after which no further setting is tried.
    public var frontierBudgetSeconds: Double {
        switch effort {
        case .quick: 30
        case .normal: 600
        case .full: hasFixedPeriod ? 360 : 2400
        }
    }

    /// Returns whether the settings of a library are tried for the frontier. Only contenders are in a quick run, and in
    /// a full run on a server with a fixed period.
    public func isTried(_ peer: PeerTraits) -> Bool {
        peer.isContender || (effort != .quick && !(effort == .full && hasFixedPeriod))
    }
}

extension BufferSetting {
    public var totalFrames: Int { buffers * frames }
}
