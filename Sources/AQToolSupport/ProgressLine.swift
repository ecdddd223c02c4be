// SPDX-License-Identifier: MIT

/// The progress of a track, as a line of a given width.
public struct ProgressLine: Sendable, Equatable {
    /// The level of the audible audio, linear; 1 is full scale.
    public struct Level: Sendable, Equatable {
        public var rms: Float
        public var peak: Float

        public init(rms: Float, peak: Float) {
            self.rms = rms
            self.peak = peak
        }
    }

    public var elapsedSeconds: Double
    /// The length in seconds; nil if it is unknown, for example for a pipe.
    public var totalSeconds: Double?
    public var isPaused = false
    public var level: Level?
    /// The linear gain; shown if it is not 1 and there is room.
    public var gain: Float = 1
    /// Whether the gain has just changed: it is then shown at any width, instead of other parts.
    public var isGainNew = false
    /// The speed; shown if it is not 1 and there is room.
    public var speed = 1.0
    /// The number of the track, from 1; shown if there is more than one track.
    public var trackNumber = 1
    public var trackCount = 1
    public var title: String

    /// The number of columns for a title before optional parts get room.
    private static let titleColumns = 10

    public init(elapsedSeconds: Double, totalSeconds: Double?, title: String) {
        self.elapsedSeconds = elapsedSeconds
        self.totalSeconds = totalSeconds
        self.title = title
    }

    /// The line, at most `columns` wide and without control characters.
    ///
    /// A narrow line keeps the time and the beginning of the title. The speed, the bar, the track's number, the meter
    /// and the volume are added in this order if there is room. The title has the remaining columns, and is
    /// last so that right-to-left scripts cannot move the text before it.
    public func text(columns: Int, style: BarStyle) -> String {
        let state = isPaused ? "= " : "> "
        let clocks = TimeParser.clocks(
            elapsed: elapsedSeconds, total: totalSeconds, isCompact: columns < 24)
        let volume = "  \(GainParser.text(gain))"
        let title = DisplayText.sanitized(title)
        if isGainNew && 2 + clocks.utf8.count + volume.utf8.count > columns {
            return shortVolumeLine(state, columns: columns)
        }
        let ending = max(title.isEmpty ? 0 : 2 + titleWidth, isGainNew ? volume.utf8.count : 0)
        var room = columns - 2 - clocks.utf8.count - ending
        func take(_ part: String?) -> String {
            guard let part else { return "" }
            let width = DisplayText.columns(of: part)
            guard width <= room else { return "" }
            room -= width
            return part
        }
        let pace = take(speed != 1 ? "  \(Decimal.text(speed, decimals: 2))x" : nil)
        let bar = take(positionBar(columns: columns, room: room, style: style))
        let number = take(trackCount > 1 ? "  \(trackNumber)/\(trackCount)" : nil)
        let meter = take(meter(columns: columns, style: style))
        let steadyVolume = isGainNew ? volume : take(gain != 1 ? volume : nil)
        var line = state + clocks + pace + bar + meter + number + steadyVolume
        let titleRoom = columns - DisplayText.columns(of: line) - 2
        if titleRoom >= 3 && !title.isEmpty {
            line += "  " + DisplayText.truncated(title, toColumns: titleRoom)
        }
        return DisplayText.truncated(line, toColumns: columns)
    }

    /// The width of the title, at most ``titleColumns``.
    private var titleWidth: Int {
        DisplayText.columns(of: DisplayText.truncated(title, toColumns: Self.titleColumns))
    }

    /// The line for a changed volume if it does not fit beside both clocks.
    private func shortVolumeLine(_ state: String, columns: Int) -> String {
        let volume = GainParser.text(gain)
        let lines = [state + TimeParser.clock(elapsedSeconds) + "  " + volume, state + volume, volume]
        return lines.first { $0.utf8.count <= columns } ?? DisplayText.truncated(volume, toColumns: columns)
    }

    /// The bar, with a width that suits the line and fits into `room`; nil without a length or sufficient room.
    private func positionBar(columns: Int, room: Int, style: BarStyle) -> String? {
        let cells = min(max(columns / 5, 8), 40, room - 2)
        guard let totalSeconds, totalSeconds > 0, cells >= 5 else { return nil }
        return "  " + PositionBar.text(fraction: elapsedSeconds / totalSeconds, cells: cells, style: style)
    }

    private func meter(columns: Int, style: BarStyle) -> String? {
        guard let level else { return nil }
        let cells = min(max(columns / 7, 8), 24)
        return "  [\(MeterBar.text(rms: level.rms, peak: level.peak, cells: cells, style: style))]"
    }
}
