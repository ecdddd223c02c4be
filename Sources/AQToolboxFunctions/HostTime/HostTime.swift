// SPDX-License-Identifier: MIT

import CAQRealTime

// COMPAT: host times are nanoseconds here, so that conversions change nothing; programs that convert are
// correct on every system. Every `mHostTime` is a host time.

/// Returns the current host time, in ticks, which are nanoseconds of `CLOCK_MONOTONIC`.
///
/// May be called from any thread, including real-time ones. The corresponding C function is
/// `AudioGetCurrentHostTime`.
@_cdecl("AudioGetCurrentHostTime")
public func audioGetCurrentHostTime() -> UInt64 { aq_host_time() }

/// Returns the number of ticks of host time in a second.
///
/// May be called from any thread. The corresponding C function is `AudioGetHostClockFrequency`.
@_cdecl("AudioGetHostClockFrequency")
public func audioGetHostClockFrequency() -> Double { 1e9 }

/// Returns the smallest difference of two host times, in ticks.
///
/// May be called from any thread. The corresponding C function is `AudioGetHostClockMinimumTimeDelta`.
@_cdecl("AudioGetHostClockMinimumTimeDelta")
public func audioGetHostClockMinimumTimeDelta() -> UInt32 { 1 }

/// Converts ticks of host time to nanoseconds.
///
/// May be called from any thread. The corresponding C function is `AudioConvertHostTimeToNanos`.
@_cdecl("AudioConvertHostTimeToNanos")
public func audioConvertHostTimeToNanos(_ hostTime: UInt64) -> UInt64 { hostTime }

/// Converts nanoseconds to ticks of host time.
///
/// May be called from any thread. The corresponding C function is `AudioConvertNanosToHostTime`.
@_cdecl("AudioConvertNanosToHostTime")
public func audioConvertNanosToHostTime(_ nanoseconds: UInt64) -> UInt64 { nanoseconds }
