// SPDX-License-Identifier: MIT

public import CAQCoreMedia

extension CMClock {
    /// The clock of host times.
    public static var hostTimeClock: CMClock { CMClockGetHostTimeClock() }

    /// The current time.
    public var time: CMTime { CMClockGetTime(self) }
}
