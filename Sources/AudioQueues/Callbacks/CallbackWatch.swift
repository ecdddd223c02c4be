import AudioDevices

/// Takes real-time priority from a thread whose callback lasts: code of the client's must not stop the machine.
///
/// Of two threads that make a queue's callbacks in turn, the one that has none to make looks now and then how long
/// the other's has lasted. Behind the queue's lock.
struct CallbackWatch {
    /// No callback that lasts so long is in time for what wants real-time priority.
    static let longestNanoseconds: UInt64 = 50_000_000
    static let nanosecondsBetweenLooks: UInt64 = 25_000_000

    private var running: PriorityRequest?
    private var begunAt: UInt64 = 0

    /// Takes note that a callback begins.
    ///
    /// - Parameter priority: What the thread that makes it was granted.
    mutating func callbackBegins(on priority: PriorityRequest, at hostTime: UInt64) {
        running = priority
        begunAt = hostTime
    }

    mutating func callbackEnded() { running = nil }

    /// Takes the priority of a callback that has lasted too long, for good.
    mutating func look(at hostTime: UInt64) {
        guard let running, hostTime >= begunAt, hostTime - begunAt >= CallbackWatch.longestNanoseconds else {
            return
        }
        running.giveBack()
        self.running = nil
    }
}
