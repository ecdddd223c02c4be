// SPDX-License-Identifier: MIT

/// Waits for an effect of other threads; false after `seconds`.
public func eventually(within seconds: Double = 15, _ condition: () throws -> Bool) rethrows -> Bool {
    try HostClock.poll(upToSeconds: seconds, every: 0.0002, until: condition)
}

/// Whether a condition is true for all of `seconds`.
public func remains(forSeconds seconds: Double, _ condition: () throws -> Bool) rethrows -> Bool {
    try !HostClock.poll(upToSeconds: seconds) { try !condition() }
}

/// Leaves everything as it is for `seconds`: a pause, an outage or a hang whose length is the input of a test.
///
/// Tests wait for effects with a condition.
public func leaveAsIs(seconds: Double) { HostClock.wait(until: HostClock.time(inSeconds: seconds)) }
