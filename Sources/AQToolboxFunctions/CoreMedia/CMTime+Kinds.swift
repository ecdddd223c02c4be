// SPDX-License-Identifier: MIT

import CAQCoreMedia

extension CMTime {
    /// The kinds of times, in the order of `CMTimeCompare`.
    enum Kind: Int {
        case negativeInfinity, number, indefinite, positiveInfinity, invalid

        /// The infinity of the other sign.
        var negated: Kind {
            switch self {
            case .negativeInfinity: .positiveInfinity
            case .positiveInfinity: .negativeInfinity
            case .number, .indefinite, .invalid: self
            }
        }
    }

    /// The kind of a time. A number with a timescale that is not positive is invalid.
    var kind: Kind {
        if !flags.contains(.valid) { return .invalid }
        if flags.contains(.positiveInfinity) { return .positiveInfinity }
        if flags.contains(.negativeInfinity) { return .negativeInfinity }
        if flags.contains(.indefinite) { return .indefinite }
        return timescale > 0 ? .number : .invalid
    }

    var isRounded: Bool { flags.contains(.hasBeenRounded) }

    /// A time of a kind that is not a number.
    static func kind(_ kind: Kind) -> CMTime {
        let flags: CMTimeFlags =
            switch kind {
            case .negativeInfinity: [.valid, .negativeInfinity]
            case .positiveInfinity: [.valid, .positiveInfinity]
            case .indefinite: [.valid, .indefinite]
            case .number, .invalid: []
            }
        return CMTime(value: 0, timescale: 0, flags: flags, epoch: 0)
    }

    static func infinity(isNegative: Bool) -> CMTime {
        kind(isNegative ? .negativeInfinity : .positiveInfinity)
    }

    static func number(
        _ value: Int64, _ timescale: Int32, epoch: Int64 = 0, isRounded: Bool = false
    ) -> CMTime {
        guard timescale > 0 else { return kind(.invalid) }
        let flags: CMTimeFlags = isRounded ? [.valid, .hasBeenRounded] : .valid
        return CMTime(value: value, timescale: timescale, flags: flags, epoch: epoch)
    }

    /// The seconds with a timescale, or with half of it and so on if the value does not fit.
    static func seconds(_ seconds: Float64, timescale: Int32) -> CMTime {
        guard !seconds.isNaN, timescale > 0 else { return kind(.invalid) }
        var timescale = timescale
        while seconds.isFinite {
            let value = (seconds * Float64(timescale)).rounded(.toNearestOrAwayFromZero)
            if let value = Int64(exactly: value) {
                let isRounded = Float64(value) / Float64(timescale) != seconds
                return number(value, timescale, isRounded: isRounded)
            }
            if timescale == 1 { break }
            timescale /= 2
        }
        return infinity(isNegative: seconds < 0)
    }

    /// The product with a number of samples.
    func times(_ count: Int64) -> CMTime {
        switch kind {
        case .number:
            let product = ExactSeconds(Int128(value) * Int128(count), over: Int128(timescale))
            return product?.time(timescale: timescale, epoch: epoch, isRounded: isRounded)
                ?? .infinity(isNegative: (value < 0) != (count < 0))
        case .negativeInfinity, .positiveInfinity: return .kind(count < 0 ? kind.negated : kind)
        case .indefinite, .invalid: return .kind(kind)
        }
    }

    /// The sum of two times.
    static func sum(_ left: CMTime, _ right: CMTime) -> CMTime {
        combination(left, right, kind: right.kind) { ExactSeconds(left, plus: right) }
    }

    /// The difference of two times.
    static func difference(_ left: CMTime, _ right: CMTime) -> CMTime {
        combination(left, right, kind: right.kind.negated) { ExactSeconds(left, minus: right) }
    }

    /// The sum or difference of two times, with the rules for times that are not numbers, and for epochs.
    private static func combination(
        _ left: CMTime, _ right: CMTime, kind rightKind: Kind, _ result: () -> ExactSeconds
    ) -> CMTime {
        switch (left.kind, rightKind) {
        case (.invalid, _), (_, .invalid): return .kind(.invalid)
        case (.positiveInfinity, .negativeInfinity), (.negativeInfinity, .positiveInfinity):
            return .kind(.invalid)
        case (.positiveInfinity, _), (.negativeInfinity, _): return .kind(left.kind)
        case (_, .positiveInfinity), (_, .negativeInfinity): return .kind(rightKind)
        case (.indefinite, _), (_, .indefinite): return .kind(.indefinite)
        case (.number, .number): break
        }
        // Times of one epoch differ by a duration; a duration is added to a time of any epoch.
        let epoch: Int64
        if left.epoch == right.epoch {
            epoch = 0
        } else {
            guard left.epoch == 0 || right.epoch == 0 else { return .kind(.invalid) }
            epoch = left.epoch + right.epoch
        }
        return result().time(
            timescale: commonTimescale(left.timescale, right.timescale), epoch: epoch,
            isRounded: left.isRounded || right.isRounded)
    }

    /// The least common multiple of two timescales, or the largest timescale.
    private static func commonTimescale(_ left: Int32, _ right: Int32) -> Int32 {
        var (divisor, rest) = (left, right)
        while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
        return Int32(clamping: Int64(left) / Int64(divisor) * Int64(right))
    }

    /// -1, 0 or 1, as `CMTimeCompare` orders times.
    static func order(_ left: CMTime, _ right: CMTime) -> Int32 {
        guard left.kind == .number, right.kind == .number else {
            return order(left.kind.rawValue, right.kind.rawValue)
        }
        guard left.epoch == right.epoch else { return order(left.epoch, right.epoch) }
        return order(
            Int128(left.value) * Int128(right.timescale), Int128(right.value) * Int128(left.timescale))
    }

    private static func order<Number: Comparable>(_ left: Number, _ right: Number) -> Int32 {
        left < right ? -1 : left > right ? 1 : 0
    }
}
