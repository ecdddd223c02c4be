// SPDX-License-Identifier: MIT

/// The body of a response in memory, up to a limit.
final class HTTPCollector: HTTPReceiver {
    private(set) var response = HTTPResponse()
    private(set) var bytes: [UInt8] = []
    private(set) var isTooLarge = false
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    func begin(_ response: HTTPResponse) throws(NetworkError) -> Bool {
        self.response = response
        return true
    }

    func take(_ new: UnsafeRawBufferPointer) -> Bool {
        isTooLarge = new.count > limit - bytes.count
        guard !isTooLarge else { return false }
        unsafe bytes.append(contentsOf: new)
        return true
    }
}

extension HTTPClient {
    /// Makes a request, and returns the whole body.
    ///
    /// - Parameters:
    ///   - limit: The largest size of the body, in bytes.
    ///   - what: The object for a message, such as "the playlist".
    func download(
        _ request: HTTPRequest, limit: Int, _ what: String
    ) throws(NetworkError) -> (bytes: [UInt8], response: HTTPResponse) {
        let collector = HTTPCollector(limit: limit)
        try get(request, collector)
        guard !collector.isTooLarge else {
            throw NetworkError(.badResponse, "\(what) is larger than \(limit >> 20) MiB")
        }
        return (collector.bytes, collector.response)
    }
}
