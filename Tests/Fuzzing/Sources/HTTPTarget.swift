// SPDX-License-Identifier: MIT

import AQNetworkInput
import AQTestSupport

/// Reads the lines of a response's header, and separates chained Ogg streams, whole and in pieces.
final class HTTPTarget: FuzzTarget {
    func test(_ input: [UInt8]) -> Bool {
        checkHeader(input)
        checkChain(input)
        return true
    }

    private func checkHeader(_ input: [UInt8]) {
        var response = HTTPResponse()
        for line in input.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            guard unsafe line.withUnsafeBytes({ unsafe response.take(line: $0) }) else { break }
        }
        require(response.fields.count <= HTTPResponse.mostFields, "the number of fields is limited")
        require(0...(1 << 50) ~= response.contentLength ?? 0, "a length is one of a file")
        if let range = response.contentRange {
            require(range.start >= 0 && range.total ?? .max > range.start, "a range is inside its file")
        }
        let facts = StationFacts(response)
        for text in [facts.name, facts.genre, facts.homepage] {
            require(isShown(text, bytes: input.count), "text is safe")
        }
        require(facts.bitRate.map { 1000...1e8 ~= $0 } ?? true, "a bit rate is possible")
    }

    private func checkChain(_ input: [UInt8]) {
        let whole = streams([input[...]])
        require(whole.flatMap(\.self) == input, "all bytes are passed on")
        require(
            whole == streams(Array(Pieces(input, SplitMix(digest: input)))),
            "pieces give what the whole gives")
    }

    private func streams(_ pieces: [ArraySlice<UInt8>]) -> [[UInt8]] {
        var splitter = OggChainSplitter()
        var streams: [[UInt8]] = [[]]
        for piece in pieces {
            unsafe piece.withUnsafeBytes { bytes in
                unsafe splitter.append(
                    bytes, take: { streams[streams.count - 1] += unsafe Array($0) },
                    boundary: { streams.append([]) })
            }
        }
        // What may still become a header is kept.
        let passed = streams.reduce(0) { $0 + $1.count }
        streams[streams.count - 1] += pieces.flatMap(\.self).dropFirst(passed)
        return streams
    }
}
