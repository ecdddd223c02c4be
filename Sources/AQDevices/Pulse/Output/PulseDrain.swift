// SPDX-License-Identifier: MIT

/// The progress of a drain, which plays a stream's last frames.
enum PulseDrain {
    case none
    /// Requested; the feed is not empty.
    case waitingForFeed(ticket: UInt64)
    /// Everything is written; the server was asked to report the end of playback.
    case waitingForServer(ticket: UInt64)
    /// The server has played everything; the sink may still play until the deadline.
    case waitingForSink(ticket: UInt64)

    var ticket: UInt64? {
        @_noLocks get {
            switch self {
            case .none: nil
            case .waitingForFeed(let ticket), .waitingForServer(let ticket), .waitingForSink(let ticket):
                ticket
            }
        }
    }

    /// Drops the request to the server, because more audio will be written.
    mutating func waitForFeedAgain() {
        if let ticket { self = .waitingForFeed(ticket: ticket) }
    }

    var isWaitingForFeed: Bool {
        @_noLocks get { if case .waitingForFeed = self { true } else { false } }
    }
}
