// SPDX-License-Identifier: MIT

/// The consumer of a response. Called on the thread that makes the request.
protocol HTTPReceiver: AnyObject {
    /// Takes the head of a successful response, before its body; returns false if the body is not needed.
    ///
    /// - Throws: The reason why the response is refused.
    func begin(_ response: HTTPResponse) throws(NetworkError) -> Bool

    /// Takes a piece of the body; returns false if no more is needed.
    func take(_ bytes: UnsafeRawBufferPointer) -> Bool
}
