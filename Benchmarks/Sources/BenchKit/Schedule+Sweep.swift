/// Settings of the sweep, and what the frontier is sought with.
extension Schedule {
    /// From half a millisecond to a tenth of a second, at 48 kHz.
    private static let lengths = [24, 48, 96, 240, 480, 960, 2400, 4800]
    /// Steps of three buffers where it matters which is the last without a gap.
    private static let fineLengths = [12, 16, 20, 28, 32, 36, 40, 44, 52, 56, 60, 64, 72, 80]

    /// Which settings a library is swept over; none twice that are one to it.
    public func sweep(of peer: PeerTraits) -> [BufferSetting] {
        if let settings = wishes.settings { return settings }
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

    /// Leaves out what a library would be asked for a second time: the same period, or a total within 7 %.
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

    /// Long enough for a few rounds of buffers after the second that does not count.
    public func sweepSeconds(_ setting: BufferSetting, sampleRate: Double) -> Double {
        max(effort == .quick ? 2.2 : 2.4, 1.5 + 3 * Double(setting.totalFrames) / sampleRate)
    }

    /// How long a setting must have been without a gap.
    public var frontierSeconds: Double {
        wishes.seconds ?? (effort == .quick ? 6 : effort == .full ? 60 : 10)
    }

    /// How long a setting is tried, one run after the other, until one has a gap: most that fail do so at once.
    public var frontierStages: [Double] {
        effort == .full ? [5, 15, 60].filter { $0 < frontierSeconds } + [frontierSeconds] : [frontierSeconds]
    }

    /// With how many gaps a short run is still worth a try: one bad moment of the machine says little.
    public static let mostGapsOfCandidates = 2

    /// How many settings of a library are tried at most.
    public var frontierTries: Int { effort == .quick || hasFixedPeriod ? 2 : effort == .full ? 12 : 5 }

    /// How often a setting is tried again that had no gap in its shortest run.
    public func frontierRepeats(of peer: PeerTraits) -> Int {
        effort == .full && !hasFixedPeriod && peer.isContender ? 1 : 0
    }

    /// How often a run is made anew that the machine disturbed.
    public static let mostDisturbedRuns = 2

    /// After how many seconds nothing new is tried.
    public var frontierBudgetSeconds: Double {
        switch effort {
        case .quick: 30
        case .normal: 600
        case .full: hasFixedPeriod ? 360 : 2400
        }
    }

    /// On a server with a fixed period only the contenders are tried for so long.
    public func isTried(_ peer: PeerTraits) -> Bool {
        peer.isContender || (effort != .quick && !(effort == .full && hasFixedPeriod))
    }
}

extension BufferSetting {
    public var totalFrames: Int { buffers * frames }
}
