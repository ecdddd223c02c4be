import CRealTime

// COMPAT: host times are nanoseconds here, so that converting them changes nothing; programs that convert are right
// everywhere. The time is that of `mHostTime` in every time stamp.

/// Tells the host time now, in ticks, which are nanoseconds of `CLOCK_MONOTONIC`.
///
/// From any thread, also one of real time. The corresponding C function is `AudioGetCurrentHostTime`.
@_cdecl("AudioGetCurrentHostTime")
public func audioGetCurrentHostTime() -> UInt64 { aq_host_time() }

/// Tells how many ticks of host time a second has.
///
/// From any thread. The corresponding C function is `AudioGetHostClockFrequency`.
@_cdecl("AudioGetHostClockFrequency")
public func audioGetHostClockFrequency() -> Double { 1e9 }

/// Tells the smallest number of ticks by which two host times that differ can differ.
///
/// From any thread. The corresponding C function is `AudioGetHostClockMinimumTimeDelta`.
@_cdecl("AudioGetHostClockMinimumTimeDelta")
public func audioGetHostClockMinimumTimeDelta() -> UInt32 { 1 }

/// Converts ticks of host time to nanoseconds.
///
/// From any thread. The corresponding C function is `AudioConvertHostTimeToNanos`.
@_cdecl("AudioConvertHostTimeToNanos")
public func audioConvertHostTimeToNanos(_ hostTime: UInt64) -> UInt64 { hostTime }

/// Converts nanoseconds to ticks of host time.
///
/// From any thread. The corresponding C function is `AudioConvertNanosToHostTime`.
@_cdecl("AudioConvertNanosToHostTime")
public func audioConvertNanosToHostTime(_ nanoseconds: UInt64) -> UInt64 { nanoseconds }
