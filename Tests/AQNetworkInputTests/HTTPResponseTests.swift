// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import AQNetworkInput

@Suite("The header of a response")
struct HTTPResponseTests {
    @Test(
        "states a part only if it begins inside a file",
        arguments: [
            ("bytes 5-9/10", 5, 10), ("bytes 5-9/*", 5, nil), ("bytes 5-9/3", 5, nil),
            ("bytes 9223372036854775807-9/10", nil, nil), ("bytes -5-9/10", nil, nil),
            ("bytes x-9/10", nil, nil), ("bytes 5-9", nil, nil), ("items 5-9/10", nil, nil),
        ] as [(String, Int64?, Int64?)])
    func contentRange(text: String, start: Int64?, total: Int64?) {
        var response = HTTPResponse()
        for line in ["HTTP/1.1 206 Partial Content", "Content-Range: \(text)"] {
            #expect(unsafe Array(line.utf8).withUnsafeBytes { unsafe response.take(line: $0) })
        }
        expectEqual(response.contentRange?.start, start)
        expectEqual(response.contentRange?.total, total)
    }
}
