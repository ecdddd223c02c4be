// SPDX-License-Identifier: MIT

/// One request with its response, as it arrives: collects the head, checks it, and passes the body on.
final class HTTPExchange {
    private(set) var response = HTTPResponse()
    /// The reason why the response was refused.
    private(set) var failure: NetworkError?
    /// Whether the receiver needs no more of the body.
    private(set) var isEnough = false

    private let receiver: any HTTPReceiver
    /// The address after redirections, known once the body begins.
    private let address: () -> String
    private var hasBegun = false

    init(_ receiver: any HTTPReceiver, address: @escaping () -> String) {
        self.receiver = receiver
        self.address = address
    }

    /// Takes a line of the head; returns false to end the request.
    func take(line: UnsafeRawBufferPointer) -> Bool {
        // Lines behind the body (trailers) are not used.
        guard !hasBegun else { return true }
        guard unsafe response.take(line: line) else {
            failure = NetworkError(.badResponse, "the server's header is larger than 256 KiB")
            return false
        }
        return true
    }

    /// Takes a piece of the body; returns false to end the request.
    func take(body: UnsafeRawBufferPointer) -> Bool {
        guard begin() else { return false }
        guard unsafe !receiver.take(body) else { return true }
        isEnough = true
        return false
    }

    /// Checks the head, unless that was done, and passes it on; returns false if the body is not needed.
    func begin() -> Bool {
        guard !hasBegun else { return true }
        hasBegun = true
        response.address = address()
        do throws(NetworkError) {
            guard 200..<300 ~= response.status else { throw Self.refusal(response) }
            if let coding = response.contentCoding {
                throw NetworkError(
                    .badResponse, "the server sends compressed data ('\(coding)'), which was not requested")
            }
            isEnough = try !receiver.begin(response)
        } catch { failure = error }
        return failure == nil && !isEnough
    }

    private static func refusal(_ response: HTTPResponse) -> NetworkError {
        let status = response.status
        guard status > 0 else { return NetworkError(.badResponse, "the server's answer is not HTTP") }
        let words = names[status].map { " (\($0))" } ?? ""
        return NetworkError(.status(status), "the server answered \(status)\(words)")
    }

    /// The usual refusals (RFC 9110, 15.5 and 15.6).
    private static let names = [
        400: "bad request", 401: "a password is needed", 403: "forbidden", 404: "not found", 408: "timeout",
        410: "gone", 416: "no such range", 429: "too many requests", 451: "unavailable for legal reasons",
        500: "internal server error", 502: "bad gateway", 503: "unavailable, or full", 504: "gateway timeout",
    ]
}
