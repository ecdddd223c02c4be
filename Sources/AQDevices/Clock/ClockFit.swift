// SPDX-License-Identifier: MIT

/// The true rate of a device, estimated from the positions that its server reports.
///
/// Fits a line to the newest positions with the Theil-Sen estimator: the slope is the median of the slopes between any
/// two positions, the offset the median of their offsets. A single late or wrong report changes neither.
///
/// Servers report a position every second or two. In that time a sound card drifts by tenths of a millisecond.
/// PulseAudio's null sink, which rounds each period down to whole microseconds, drifts by up to 2 ms per second.
///
/// PipeWire reports the position of its last period as the current one. Every report is therefore ahead by up to a
/// period, depending on when in the period it was requested. In that case the line goes through the lowest positions,
/// at the nominal rate, because the scatter would hide the true one.
struct ClockFit {
    private struct Position {
        var hostTime: UInt64 = 0
        var frame = 0.0
    }

    /// The numbers of positions kept, without and with ``followsPeriods``.
    private static let capacity = 5
    private static let periodCapacity = 10
    /// The shortest span of positions from which the slope is updated, in nanoseconds.
    private static let leastSpan: UInt64 = 500_000_000
    /// The shortest time between two positions that give a slope, in nanoseconds.
    private static let leastDistance: UInt64 = 250_000_000
    private static let leastPositions = 3
    /// The largest deviation of a device's clock that is plausible.
    private static let largestDeviation = 0.01
    /// The largest distance of a position from the line, in seconds. A second position beyond it begins a new line.
    private static let largestErrorSeconds = 0.002
    /// The largest distance if positions may be ahead by a period, in seconds.
    private static let longestPeriodSeconds = 0.1
    /// The number of positions from which the lowest is ignored, because a late report gives a position that is too
    /// low.
    private static let leastPositionsToDrop = 4

    /// Frames per nanosecond.
    private let nominalRate: Double
    private var positions: [10 of Position] = .init(repeating: Position())
    private var count = 0
    /// Whether the newest position was off the line.
    private var isNewestOff = false
    /// Frames per nanosecond.
    private(set) var rate: Double

    /// Whether the server reports the position of its last period as the current one.
    ///
    /// A change resets the rate. It also drops the positions, if there are more than the new mode keeps.
    var followsPeriods = false {
        didSet {
            guard followsPeriods != oldValue else { return }
            rate = nominalRate
            if count > ClockFit.capacity { restart() }
        }
    }

    init(sampleRate: Double) {
        nominalRate = sampleRate / 1e9
        rate = nominalRate
    }

    /// Drops all positions but keeps the rate, because frames have lost their relation to time. REAL-TIME.
    @_noLocks mutating func restart() {
        count = 0
        isNewestOff = false
    }

    /// Drops the positions and the rate, because another device plays.
    mutating func reset() {
        restart()
        rate = nominalRate
    }

    /// Adds the frame that was audible at `hostTime`, which is later than the times of all positions. REAL-TIME.
    ///
    /// - Returns: The best estimate of the frame that was audible at `hostTime`.
    @_noLocks mutating func add(frame: Double, at hostTime: UInt64) -> Double {
        let largestError = followsPeriods ? ClockFit.longestPeriodSeconds : ClockFit.largestErrorSeconds
        let isOff =
            count > 0 && abs(frame - self.frame(at: hostTime)) > largestError * nominalRate * 1e9
        if isOff && isNewestOff {
            // Two successive positions are off the line, so a new line starts at the first of them.
            positions[0] = positions[count - 1]
            count = 1
        }
        isNewestOff = isOff && !isNewestOff
        if count == (followsPeriods ? ClockFit.periodCapacity : ClockFit.capacity) {
            for index in 1..<count { positions[index - 1] = positions[index] }
            count -= 1
        }
        positions[count] = Position(hostTime: hostTime, frame: frame)
        count += 1
        if !followsPeriods { updateRate() }
        return self.frame(at: hostTime)
    }

    /// The frame on the line; 0 if there are no positions.
    @_noLocks func frame(at hostTime: UInt64) -> Double {
        guard count > 0 else { return 0 }
        var heights: [10 of Double] = .init(repeating: 0)
        for index in 0..<count {
            let position = positions[index]
            // Only differences are converted, because host times are too large for a Double's fraction.
            heights[index] =
                position.frame + rate * Double(Int64(bitPattern: hostTime &- position.hostTime))
        }
        var span = heights.mutableSpan
        if followsPeriods {
            ClockFit.order(&span, count: count)
            return span[count < ClockFit.leastPositionsToDrop ? 0 : 1]
        }
        return ClockFit.median(of: &span, count: count)
    }

    @_noLocks private mutating func updateRate() {
        guard count >= ClockFit.leastPositions,
            positions[count - 1].hostTime - positions[0].hostTime >= ClockFit.leastSpan
        else { return }
        var slopes: [10 of Double] = .init(repeating: 0)
        var pairs = 0
        for later in 1..<count {
            for earlier in 0..<later {
                let elapsed = positions[later].hostTime &- positions[earlier].hostTime
                guard elapsed >= ClockFit.leastDistance else { continue }
                slopes[pairs] = (positions[later].frame - positions[earlier].frame) / Double(elapsed)
                pairs += 1
            }
        }
        guard pairs > 0 else { return }
        var span = slopes.mutableSpan
        let slope = ClockFit.median(of: &span, count: pairs)
        let deviation = slope / nominalRate - 1
        rate = nominalRate * (1 + max(-ClockFit.largestDeviation, min(deviation, ClockFit.largestDeviation)))
    }

    /// Sorts the first `count` values and returns their median.
    @_noLocks private static func median(of values: inout MutableSpan<Double>, count: Int) -> Double {
        order(&values, count: count)
        return count % 2 == 1 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2
    }

    /// Sorts the first `count` values.
    @_noLocks private static func order(_ values: inout MutableSpan<Double>, count: Int) {
        for index in 1..<max(1, count) {
            let value = values[index]
            var position = index
            while position > 0, values[position - 1] > value {
                values[position] = values[position - 1]
                position -= 1
            }
            values[position] = value
        }
    }
}
