// SPDX-License-Identifier: MIT

public import CAQCoreMedia
import CAQRealTime
public import CoreFoundation

// The published functions for the clock of host times, whose ticks are nanoseconds here. All may be called from any
// thread.

/// The contents of the `CMClockRef` of the host: a clock has no state.
private final class HostTimeClock: Sendable {
    static let objects = MediaObjectClass<HostTimeClock>("CMClock")
    // SAFETY: the object exists as long as the process.
    nonisolated(unsafe) static let object = unsafe objects.make(HostTimeClock())

    static let timescale: Int32 = 1_000_000_000
}

/// Returns the type of clocks.
@_cdecl("CMClockGetTypeID")
public func cmClockGetTypeID() -> CFTypeID { HostTimeClock.objects.typeID }

/// Returns the clock of host times, without a reference for the caller.
@_cdecl("CMClockGetHostTimeClock")
public func cmClockGetHostTimeClock() -> UnsafeMutableRawPointer? { unsafe HostTimeClock.object }

/// Returns the current time of a clock; an invalid time for NULL.
@_cdecl("CMClockGetTime")
public func cmClockGetTime(_ clock: UnsafeRawPointer?) -> CMTime {
    guard unsafe HostTimeClock.objects.contents(of: clock) != nil else { return .kind(.invalid) }
    return cmClockMakeHostTimeFromSystemUnits(aq_host_time())
}

/// Converts ticks of host time to a time of the clock of host times.
@_cdecl("CMClockMakeHostTimeFromSystemUnits")
public func cmClockMakeHostTimeFromSystemUnits(_ hostTime: UInt64) -> CMTime {
    .number(Int64(clamping: hostTime), HostTimeClock.timescale)
}

/// Converts a time of the clock of host times to ticks of host time; 0 for a negative time, and for one that is not a
/// number.
@_cdecl("CMClockConvertHostTimeToSystemUnits")
public func cmClockConvertHostTimeToSystemUnits(_ hostTime: CMTime) -> UInt64 {
    let time = cmTimeConvertScale(hostTime, HostTimeClock.timescale, .default)
    return time.kind == .number ? UInt64(clamping: time.value) : 0
}
