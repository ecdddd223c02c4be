// SPDX-License-Identifier: MIT

import AQExpectations
import CoreMedia
import Testing

/// The fields of a time: `==` of times compares what they mean.
struct TimeFields: Equatable, CustomStringConvertible {
    let value: Int64
    let timescale: Int32
    let flags: UInt32
    let epoch: Int64

    init(_ time: CMTime) {
        (value, timescale, flags, epoch) = (time.value, time.timescale, time.flags.rawValue, time.epoch)
    }

    var description: String { "\(value)/\(timescale), flags \(flags), epoch \(epoch)" }
}

extension CMTime {
    /// A valid number, also with fields that `CMTimeMake` does not accept.
    static func fields(
        _ value: Int64, _ timescale: Int32, rounded: Bool = false, epoch: Int64 = 0
    ) -> CMTime {
        CMTime(
            value: value, timescale: timescale, flags: rounded ? [.valid, .hasBeenRounded] : .valid,
            epoch: epoch)
    }
}

/// A call with a time as its result.
struct TimeCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let result: CMTime
    let expected: CMTime

    init(_ description: String, _ result: CMTime, _ expected: CMTime) {
        testDescription = description
        self.result = result
        self.expected = expected
    }

    func check() { expectEqual(TimeFields(result), TimeFields(expected)) }
}
