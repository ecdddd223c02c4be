/// How fast a device really plays, from the places that its server tells of now and then.
///
/// A line through the newest places, as robust estimators draw it (Theil and Sen): its slope is the median of
/// the slopes between any two, its height the median of theirs. One place that was told late, or by a server
/// that was interrupted on the way, moves neither.
///
/// Servers tell every second or two. Meanwhile a sound card drifts by tenths of a millisecond, and PulseAudio's
/// null sink, which rounds each of its periods down to whole microseconds, by up to 2 ms a second.
///
/// PipeWire's server knows where its last period was, and tells that as the present place: all that it tells is ahead,
/// by up to a period, according to when in one it was asked. There the line goes through the lowest places, at the
/// nominal rate, which scatter would hide.
struct ClockFit {
    private struct Place {
        var hostTime: UInt64 = 0
        var frame = 0.0
    }

    /// The newest places are kept, so many.
    private static let capacity = 5
    private static let periodCapacity = 10
    /// The slope stays what it was until places are known that are so far apart, in nanoseconds.
    private static let leastSpan: UInt64 = 500_000_000
    /// Two places are too near to each other for a slope.
    private static let leastDistance: UInt64 = 250_000_000
    private static let leastPlaces = 3
    /// No clock of a device is so wrong.
    private static let largestDeviation = 0.01
    /// What a place may be off the line, in seconds, before the next one like it begins a new line.
    private static let largestErrorSeconds = 0.002
    /// The same where a place may be ahead by a period.
    private static let longestPeriodSeconds = 0.1
    /// So many places give one away that was told late, and seems low.
    private static let leastPlacesToDrop = 4

    /// Frames a nanosecond.
    private let nominalRate: Double
    private var places: [10 of Place] = .init(repeating: Place())
    private var count = 0
    /// Whether the newest place was off the line.
    private var isNewestOff = false
    /// Frames a nanosecond.
    private(set) var rate: Double

    /// Whether places are those of the last period, whenever they are told. What is known is kept.
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

    /// Forgets every place, since frames and time go another way from now on, but not how fast the device plays. REAL-TIME.
    @_noLocks mutating func restart() {
        count = 0
        isNewestOff = false
    }

    /// Forgets everything: another device plays.
    mutating func reset() {
        restart()
        rate = nominalRate
    }

    /// Takes note that `frame` was heard at `hostTime`, which is later than all before. REAL-TIME.
    ///
    /// - Returns: The frame that was heard then, by all that is known.
    @_noLocks mutating func add(frame: Double, at hostTime: UInt64) -> Double {
        let largestError = followsPeriods ? ClockFit.longestPeriodSeconds : ClockFit.largestErrorSeconds
        let isOff =
            count > 0 && abs(frame - self.frame(at: hostTime)) > largestError * nominalRate * 1e9
        if isOff && isNewestOff {
            // Two agree that the line is no longer true: it goes on from the first of them.
            places[0] = places[count - 1]
            count = 1
        }
        isNewestOff = isOff && !isNewestOff
        if count == (followsPeriods ? ClockFit.periodCapacity : ClockFit.capacity) {
            for index in 1..<count { places[index - 1] = places[index] }
            count -= 1
        }
        places[count] = Place(hostTime: hostTime, frame: frame)
        count += 1
        if !followsPeriods { updateRate() }
        return self.frame(at: hostTime)
    }

    /// The frame on the line; 0 before anything is known.
    @_noLocks func frame(at hostTime: UInt64) -> Double {
        guard count > 0 else { return 0 }
        var heights: [10 of Double] = .init(repeating: 0)
        for index in 0..<count {
            let place = places[index]
            // Relative to the time that is asked for: host times are too long for a Double's fraction.
            heights[index] =
                place.frame + rate * Double(Int64(bitPattern: hostTime &- place.hostTime))
        }
        var span = heights.mutableSpan
        if followsPeriods {
            ClockFit.order(&span, count: count)
            return span[count < ClockFit.leastPlacesToDrop ? 0 : 1]
        }
        return ClockFit.median(of: &span, count: count)
    }

    @_noLocks private mutating func updateRate() {
        guard count >= ClockFit.leastPlaces,
            places[count - 1].hostTime - places[0].hostTime >= ClockFit.leastSpan
        else { return }
        // Any two of five.
        var slopes: [10 of Double] = .init(repeating: 0)
        var pairs = 0
        for later in 1..<count {
            for earlier in 0..<later {
                let elapsed = places[later].hostTime &- places[earlier].hostTime
                guard elapsed >= ClockFit.leastDistance else { continue }
                slopes[pairs] = (places[later].frame - places[earlier].frame) / Double(elapsed)
                pairs += 1
            }
        }
        guard pairs > 0 else { return }
        var span = slopes.mutableSpan
        let slope = ClockFit.median(of: &span, count: pairs)
        let deviation = slope / nominalRate - 1
        rate = nominalRate * (1 + max(-ClockFit.largestDeviation, min(deviation, ClockFit.largestDeviation)))
    }

    /// The median of the first `count` values, which are put in order.
    @_noLocks private static func median(of values: inout MutableSpan<Double>, count: Int) -> Double {
        order(&values, count: count)
        return count % 2 == 1 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2
    }

    /// Puts the first `count` values in order.
    @_noLocks private static func order(_ values: inout MutableSpan<Double>, count: Int) {
        for index in 1..<max(1, count) {
            let value = values[index]
            var place = index
            while place > 0, values[place - 1] > value {
                values[place] = values[place - 1]
                place -= 1
            }
            values[place] = value
        }
    }
}
