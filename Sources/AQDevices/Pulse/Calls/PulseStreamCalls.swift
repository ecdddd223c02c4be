// SPDX-License-Identifier: MIT

import CAQPulse
import CAQRealTime

/// The calls of a server's stream, to libpulse or to a recorder. Loop thread only.
///
/// The calls of the audio path are here, the others in `PulseStreamCalls+Control.swift`.
@safe enum PulseStreamCalls {
    // SAFETY: used only by its `PulseServerStream`, between making the stream and `end()`.
    case libpulse(OpaquePointer)
    case recorder(Unmanaged<PulseStreamRecorder>)

    // MARK: Playback. REAL-TIME.

    /// The number of bytes that the server requests.
    var writableBytes: Int {
        @_noLocks get {
            switch self {
            case .libpulse(let stream): unsafe aq_pulse_writable_bytes(stream)
            case .recorder(let recorder): unsafe recorder._withUnsafeGuaranteedRef { $0.writableBytes }
            }
        }
    }

    /// Memory for at most `bytes` bytes, which ``write(_:bytes:at:)`` sends after it is filled; nil if there is none.
    /// Valid until the stream's next call.
    @_noLocks func beginWrite(bytes: Int) -> (start: UnsafeMutableRawPointer, bytes: Int)? {
        switch self {
        case .libpulse(let stream):
            var memory: UnsafeMutableRawPointer?
            var room = bytes
            if unsafe aq_pulse_begin_write(stream, &memory, &room) < 0 { return nil }
            guard let start = unsafe memory else { return nil }
            return unsafe (start, room)
        case .recorder(let recorder):
            return unsafe recorder._withUnsafeGuaranteedRef { unsafe $0.beginWrite(bytes: bytes) }
        }
    }

    /// Sends memory of ``beginWrite(bytes:)`` that was filled.
    ///
    /// - Parameter offset: The offset to write at, in bytes since the stream's first; -1 to append.
    /// - Returns: False if the stream has failed.
    @_noLocks func write(_ start: UnsafeMutableRawPointer, bytes: Int, at offset: Int64) -> Bool {
        switch self {
        case .libpulse(let stream):
            unsafe aq_pulse_write(stream, start, bytes, max(0, offset), offset < 0 ? 0 : 1) >= 0
        case .recorder(let recorder):
            unsafe recorder._withUnsafeGuaranteedRef { $0.write(bytes: bytes, at: offset) }
        }
    }

    /// Returns the memory of ``beginWrite(bytes:)`` unused.
    @_noLocks func cancelWrite() {
        if case .libpulse(let stream) = self { unsafe aq_pulse_cancel_write(stream) }
    }

    /// The byte at which the server last ran out of data; -1 if unknown.
    var underflowOffset: Int64 {
        @_noLocks get {
            switch self {
            case .libpulse(let stream): unsafe aq_pulse_underflow_index(stream)
            case .recorder: -1
            }
        }
    }

    // MARK: Capture. REAL-TIME.

    var readableBytes: Int {
        @_noLocks get {
            switch self {
            case .libpulse(let stream): unsafe aq_pulse_readable_bytes(stream)
            case .recorder(let recorder): unsafe recorder._withUnsafeGuaranteedRef { $0.readableBytes }
            }
        }
    }

    /// The oldest piece of audio that waits to be read, valid until ``drop()``; nil if there is none. Its start is nil
    /// for a hole.
    @_noLocks func peek() -> (start: UnsafeRawPointer?, bytes: Int)? {
        switch self {
        case .libpulse(let stream):
            var start: UnsafeRawPointer?
            let bytes = unsafe aq_pulse_peek(stream, &start)
            return bytes > 0 ? unsafe (start, bytes) : nil
        case .recorder(let recorder): return unsafe recorder._withUnsafeGuaranteedRef { unsafe $0.peek() }
        }
    }

    /// Drops the piece returned by ``peek()``.
    @_noLocks func drop() {
        switch self {
        case .libpulse(let stream): unsafe aq_pulse_drop(stream)
        case .recorder(let recorder): unsafe recorder._withUnsafeGuaranteedRef { $0.drop() }
        }
    }

    // MARK: Both. REAL-TIME.

    /// The server's last timing answer; nil before the first.
    var timing: PulseTimingAnswer? {
        @_noLocks get {
            switch self {
            case .libpulse(let stream):
                guard let info = unsafe aq_pulse_timing(stream) else { return nil }
                return unsafe PulseTimingAnswer(info.pointee)
            case .recorder(let recorder): return unsafe recorder._withUnsafeGuaranteedRef { $0.timing }
            }
        }
    }

    /// Requests a timing answer, in addition to libpulse's own requests.
    @_noLocks func askForTiming() {
        switch self {
        case .libpulse(let stream): unsafe aq_pulse_ask_for_timing(stream)
        case .recorder(let recorder): unsafe recorder._withUnsafeGuaranteedRef { $0.note(.askForTiming) }
        }
    }

    var isCorked: Bool {
        @_noLocks get {
            switch self {
            case .libpulse(let stream): unsafe aq_pulse_is_corked(stream) != 0
            case .recorder(let recorder): unsafe recorder._withUnsafeGuaranteedRef { $0.isCorked }
            }
        }
    }
}
