/// What a player shows of a track being played, and how it looks in a line of a given width.
public struct ProgressLine: Sendable, Equatable {
    /// Linear level of the sound now heard, 1 being full scale.
    public struct Level: Sendable, Equatable {
        public var rms: Float
        public var peak: Float

        public init(rms: Float, peak: Float) {
            self.rms = rms
            self.peak = peak
        }
    }

    public var elapsedSeconds: Double
    /// Nil while the length is not known, as from a pipe.
    public var totalSeconds: Double?
    public var isPaused = false
    public var level: Level?
    /// Linear; shown when it is not 1.
    public var gain: Float = 1
    /// One-based; shown when there is more than one track.
    public var trackNumber = 1
    public var trackCount = 1
    public var title: String

    public init(elapsedSeconds: Double, totalSeconds: Double?, title: String) {
        self.elapsedSeconds = elapsedSeconds
        self.totalSeconds = totalSeconds
        self.title = title
    }

    /// The line, at most `columns` wide and without control characters.
    ///
    /// What matters least is left out first: a narrow line keeps the time and as much of the title as fits.
    public func text(columns: Int) -> String {
        var line = isPaused ? "= " : "> "
        line += clocks(columns: columns)
        if let level, let cells = Self.meterCells(columns) {
            line += "  [\(MeterBar.text(rms: level.rms, peak: level.peak, cells: cells))]"
        }
        if trackCount > 1 && columns >= 32 { line += "  \(trackNumber)/\(trackCount)" }
        if gain != 1 && columns >= 48 { line += "  \(GainParser.text(gain))" }
        let room = columns - DisplayText.columns(of: line) - 2
        if room >= 3 && !title.isEmpty {
            line += "  " + DisplayText.truncated(DisplayText.sanitized(title), toColumns: room)
        }
        return DisplayText.truncated(line, toColumns: columns)
    }

    private func clocks(columns: Int) -> String {
        let elapsed = TimeParser.clock(elapsedSeconds)
        guard let totalSeconds else { return elapsed }
        let total = TimeParser.clock(totalSeconds)
        // As wide as the total from the start, so that what follows stands still.
        let padding = String(repeating: " ", count: max(0, total.utf8.count - elapsed.utf8.count))
        return columns >= 24 ? "\(padding)\(elapsed) / \(total)" : "\(elapsed)/\(total)"
    }

    private static func meterCells(_ columns: Int) -> Int? {
        switch columns {
        case 72...: 20
        case 48...: 10
        default: nil
        }
    }
}
