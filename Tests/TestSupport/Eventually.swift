/// Waits for an effect of other threads; false after `seconds`.
public func eventually(within seconds: Double = 5, _ condition: () throws -> Bool) rethrows -> Bool {
    try HostClock.poll(upToSeconds: seconds, every: 0.0002, until: condition)
}
