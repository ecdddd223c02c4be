// SPDX-License-Identifier: MIT

import CAQPulse
import CAQRealTime

/// A server's timing answer for a stream. Offsets are in bytes since the stream's first, times in microseconds.
struct PulseTimingAnswer: Equatable {
    /// The next byte that the sink takes.
    var readOffset: Int64 = 0
    var isReadOffsetKnown = true
    /// The next byte that the source delivers.
    var writeOffset: Int64 = 0
    var isWriteOffsetKnown = true
    /// Whether the sink is taking bytes.
    var isPlaying = false
    /// The time from when the sink takes a byte until the byte is audible.
    var sinkTime: UInt64 = 0
    /// The duration of the largest block that the sink takes at once.
    var sinkBlockTime: UInt64 = 0
    /// The time from when a byte is captured until the source delivers it.
    var sourceTime: UInt64 = 0
    /// The time from the server to this process.
    var transportTime: UInt64 = 0
    /// The bytes that the sink has requested without success since the stream underran.
    var bytesSinceUnderrun: Int64 = 0
    /// The age of the answer by the server's clock, in nanoseconds; nil if its clock is not this machine's.
    var age: Int64?
}

extension PulseTimingAnswer {
    @_noLocks init(_ info: pa_timing_info) {
        readOffset = info.read_index
        isReadOffsetKnown = info.read_index_corrupt == 0
        writeOffset = info.write_index
        isWriteOffsetKnown = info.write_index_corrupt == 0
        isPlaying = info.playing != 0
        sinkTime = info.sink_usec
        sinkBlockTime = info.configured_sink_usec
        sourceTime = info.source_usec
        transportTime = info.transport_usec
        bytesSinceUnderrun = info.since_underrun
        age = nil
        if info.synchronized_clocks != 0 {
            age = aq_age(Int64(info.timestamp.tv_sec), Int64(info.timestamp.tv_usec))
        }
    }
}
