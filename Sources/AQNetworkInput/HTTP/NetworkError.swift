// SPDX-License-Identifier: MIT

/// A failure of a request, with its reason for a message.
struct NetworkError: Error, Equatable {
    enum Kind: Equatable {
        /// The request was cancelled by the program.
        case cancelled
        /// libcurl cannot be loaded.
        case noLibrary
        /// The address has no valid form.
        case badAddress
        /// The server's name is not known, perhaps because there is no network.
        case unknownHost
        /// No connection was made, or it ended too early.
        case noConnection
        /// The server sent nothing for too long.
        case silence
        /// The server answered with a status other than success.
        case status(Int)
        /// Too many redirections, or one to an address of another kind.
        case redirection
        /// The server's certificate or the encryption is wrong.
        case notSecure
        /// The response is not valid, or exceeds a limit.
        case badResponse
    }

    var kind: Kind
    /// The reason in lower case, without full stop and without control characters.
    var reason: String

    init(_ kind: Kind, _ reason: String) {
        self.kind = kind
        self.reason = reason
    }

    /// Whether the same request may succeed later, after the server or the network has returned.
    var mayPass: Bool {
        switch kind {
        case .unknownHost, .noConnection, .silence: true
        // Also the addresses of stations: a restarted server has no station until its source is connected again.
        case .status(let status): status >= 500 || [404, 408, 425, 429].contains(status)
        case .cancelled, .noLibrary, .badAddress, .redirection, .notSecure, .badResponse: false
        }
    }
}
