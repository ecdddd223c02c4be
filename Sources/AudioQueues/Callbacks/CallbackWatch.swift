import AudioDevices

/// Takes real-time priority from a thread whose callback is slow: code of the client must not stop the
/// machine.
///
/// Of two threads that make a queue's callbacks in turn, the idle one periodically checks how long the
/// other's callback has taken. Used with the queue's lock held.
struct CallbackWatch {
    /// A callback of this duration is too late for any purpose of real-time priority.
    static let longestNanoseconds: UInt64 = 50_000_000
    static let nanosecondsBetweenLooks: UInt64 = 25_000_000

    private var running: PriorityRequest?
    private var begunAt: UInt64 = 0

    /// Records the start of a callback.
    ///
    /// - Parameter priority: The priority that its thread was granted.
    mutating func callbackBegins(on priority: PriorityRequest, at hostTime: UInt64) {
        running = priority
        begunAt = hostTime
    }

    mutating func callbackEnded() { running = nil }

    /// Takes the priority of a callback that has taken too long, permanently.
    mutating func look(at hostTime: UInt64) {
        guard let running, hostTime >= begunAt, hostTime - begunAt >= CallbackWatch.longestNanoseconds else {
            return
        }
        running.giveBack()
        self.running = nil
    }
}
