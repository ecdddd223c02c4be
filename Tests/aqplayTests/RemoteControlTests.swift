// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import aqplay

@Suite("Numbers from the message bus")
struct RemoteControlTests {
    @Test(
        "positions are limited to those of an integer",
        arguments: [
            (1e300, .max), (-1e300, .min), (.infinity, .max), (-.infinity, .min), (.nan, 0), (1.6, 2),
            (9.223372036854775807e18, .max), (-9.223372036854775808e18, .min),
        ] as [(Double, Int64)])
    func clamping(value: Double, expected: Int64) {
        expectEqual(Int64(clamping: value), expected)
    }
}
