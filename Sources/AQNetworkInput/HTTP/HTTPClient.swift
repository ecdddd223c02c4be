// SPDX-License-Identifier: MIT

import CAQCurl

/// A client for requests over HTTP and HTTPS, one at a time. It keeps connections open between requests.
///
/// Used by one thread at a time, except for ``cancel()``. Certificates are checked, at most ten redirections are
/// followed, and compressed bodies, which are never requested, are refused.
@safe final class HTTPClient: @unchecked Sendable {
    // SAFETY: the handle lives as long as this object. It is used by one thread at a time, except for the function that
    // cancels, which any thread may call.
    private let handle: OpaquePointer
    private let userAgent: String

    /// The longest time to connect, in milliseconds.
    private static let connectMilliseconds = 10_000
    /// The longest time without data, in seconds.
    private let silentSeconds: Int

    /// - Parameters:
    ///   - userAgent: The name of the program in requests.
    ///   - silentSeconds: The longest time without data.
    /// - Throws: `noLibrary` if libcurl cannot be loaded.
    init(userAgent: String, silentSeconds: Int) throws(NetworkError) {
        var reason: UnsafePointer<CChar>?
        guard let handle = unsafe aq_http_create(&reason) else {
            let cause = unsafe reason.map { unsafe String(cString: $0) } ?? "out of memory"
            throw NetworkError(.noLibrary, "network addresses need libcurl: \(cause)")
        }
        unsafe self.handle = handle
        self.userAgent = userAgent
        self.silentSeconds = silentSeconds
    }

    deinit { unsafe aq_http_free(handle) }

    /// Ends the running request and all later ones. Called by any thread.
    func cancel() { unsafe aq_http_cancel(handle) }

    /// Makes a request, passes the response on, and waits until it has ended.
    ///
    /// - Throws: The failure of the request, or the receiver's reason to refuse the response. It is no failure if the
    ///   receiver needs only a part of the body.
    func get(_ request: HTTPRequest, _ receiver: any HTTPReceiver) throws(NetworkError) {
        let exchange = HTTPExchange(receiver) { [unowned self] in
            unsafe aq_http_address(handle).map { unsafe String(cString: $0) } ?? request.address.text
        }
        let result = perform(request, exchange)
        if let failure = exchange.failure { throw failure }
        if exchange.isEnough { return }
        guard result == aq_http_complete else { throw failure(result) }
        // A response without a body has only a head.
        _ = exchange.begin()
        if let failure = exchange.failure { throw failure }
    }

    private func perform(_ request: HTTPRequest, _ exchange: HTTPExchange) -> aq_http_result {
        unsafe request.address.text.withCString { address in
            unsafe userAgent.withCString { agent in
                unsafe Self.withCString(request.range?.text) { range in
                    unsafe Self.withCString(request.range == nil ? nil : request.validator) { validator in
                        var asked = unsafe aq_http_request(
                            address: address, range: range, if_range: validator, user_agent: agent,
                            wants_titles: request.wantsTitles, connect_milliseconds: Self.connectMilliseconds,
                            silent_seconds: silentSeconds)
                        // SAFETY: the exchange lives until the call returns, and is not used after that.
                        return unsafe aq_http_get(
                            handle, &asked, Self.takeLine, Self.takeBytes,
                            Unmanaged.passUnretained(exchange).toOpaque())
                    }
                }
            }
        }
    }

    private static let takeLine: aq_http_take_line = { context, line, count in
        guard let context = unsafe context else { return false }
        return unsafe Unmanaged<HTTPExchange>.fromOpaque(context).takeUnretainedValue()
            .take(line: UnsafeRawBufferPointer(start: line, count: count))
    }

    private static let takeBytes: aq_http_take_bytes = { context, bytes, count in
        guard let context = unsafe context else { return false }
        return unsafe Unmanaged<HTTPExchange>.fromOpaque(context).takeUnretainedValue()
            .take(body: UnsafeRawBufferPointer(start: bytes, count: count))
    }

    private static func withCString<Result>(
        _ text: String?, _ body: (UnsafePointer<CChar>?) -> Result
    ) -> Result {
        guard let text else { return body(nil) }
        return unsafe text.withCString { unsafe body($0) }
    }

    private func failure(_ result: aq_http_result) -> NetworkError {
        let detail = unsafe String(cString: aq_http_failure(handle))
        return switch result {
        case aq_http_cancelled: NetworkError(.cancelled, "it was cancelled")
        case aq_http_bad_address: NetworkError(.badAddress, "it is not an HTTP or HTTPS address")
        case aq_http_unknown_host: NetworkError(.unknownHost, "the server's name is not known")
        case aq_http_not_connected: NetworkError(.noConnection, "the server cannot be reached")
        case aq_http_timed_out: NetworkError(.silence, "the server does not answer")
        case aq_http_cut: NetworkError(.noConnection, "the connection was lost")
        case aq_http_bad_redirection: NetworkError(.redirection, "it is redirected more than ten times")
        case aq_http_not_secure: NetworkError(.notSecure, "the connection is not secure: \(detail)")
        case aq_http_bad_response:
            NetworkError(.badResponse, "the server's answer is not HTTP: \(detail)")
        default: NetworkError(.noConnection, "the request failed: \(detail)")
        }
    }
}
