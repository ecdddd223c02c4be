/// How far the playing out of a stream's last frames has come.
enum PulseDrain {
    case none
    /// Asked for; the feed is not empty yet.
    case waitingForFeed(ticket: UInt64)
    /// All is written; the server was asked to say when it is played.
    case waitingForServer(ticket: UInt64)
    /// The server has played all; the sink may still sound until the deadline.
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

    /// Forgets what the server was asked, since more is to be written.
    mutating func waitForFeedAgain() {
        if let ticket { self = .waitingForFeed(ticket: ticket) }
    }

    var isWaitingForFeed: Bool {
        @_noLocks get {
            switch self {
            case .waitingForFeed: true
            case .none, .waitingForServer, .waitingForSink: false
            }
        }
    }
}
