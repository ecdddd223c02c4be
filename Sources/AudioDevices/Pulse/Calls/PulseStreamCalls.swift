import CPulse
import CRealTime

/// The calls of a server's stream: libpulse's, or a recorder's. Loop thread only.
///
/// Those of the audio path are here, the others in `PulseStreamCalls+Control.swift`.
@safe enum PulseStreamCalls {
    // SAFETY: used by its `PulseServerStream` alone, between making the stream and `end()`.
    case libpulse(OpaquePointer)
    case recorder(Unmanaged<PulseStreamRecorder>)

    /// Memory of the server's to write into, or that has come from it.
    @safe struct Memory {
        // SAFETY: valid until the stream's next call.
        let start: UnsafeMutableRawPointer
        let bytes: Int

        @_noLocks init(start: UnsafeMutableRawPointer, bytes: Int) {
            unsafe self.start = unsafe start
            self.bytes = bytes
        }
    }

    /// What has arrived first of what waits to be read.
    @safe struct Piece {
        // SAFETY: valid until `drop()`.
        /// Nil for a hole.
        let start: UnsafeRawPointer?
        let bytes: Int

        @_noLocks init(start: UnsafeRawPointer?, bytes: Int) {
            unsafe self.start = unsafe start
            self.bytes = bytes
        }
    }

    // MARK: Playback. REAL-TIME.

    /// How much the server asks for.
    var writableBytes: Int {
        @_noLocks get {
            switch self {
            case .libpulse(let stream): unsafe aq_pulse_writable_bytes(stream)
            case .recorder(let recorder): unsafe recorder._withUnsafeGuaranteedRef { $0.writableBytes }
            }
        }
    }

    /// Memory for at most `bytes` bytes, of which ``write(_:bytes:at:)`` sends what was filled; nil without any.
    @_noLocks func beginWrite(bytes: Int) -> Memory? {
        switch self {
        case .libpulse(let stream):
            var memory: UnsafeMutableRawPointer?
            var room = bytes
            if unsafe aq_pulse_begin_write(stream, &memory, &room) < 0 { return nil }
            guard let start = unsafe memory else { return nil }
            return unsafe Memory(start: start, bytes: room)
        case .recorder(let recorder):
            return unsafe recorder._withUnsafeGuaranteedRef { $0.beginWrite(bytes: bytes) }
        }
    }

    /// - Parameter offset: Where to write, in bytes since the stream's first; -1 for behind what was written last.
    /// - Returns: False if the stream has failed.
    @_noLocks func write(_ memory: Memory, bytes: Int, at offset: Int64) -> Bool {
        switch self {
        case .libpulse(let stream):
            unsafe aq_pulse_write(stream, memory.start, bytes, max(0, offset), offset < 0 ? 0 : 1) >= 0
        case .recorder(let recorder):
            unsafe recorder._withUnsafeGuaranteedRef { $0.write(bytes: bytes, at: offset) }
        }
    }

    /// Gives the memory of ``beginWrite(bytes:)`` back unused.
    @_noLocks func cancelWrite() {
        if case .libpulse(let stream) = self { unsafe aq_pulse_cancel_write(stream) }
    }

    /// The byte at which the server last ran out of data; -1 for unknown.
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

    /// Nil when nothing waits.
    @_noLocks func peek() -> Piece? {
        switch self {
        case .libpulse(let stream):
            var start: UnsafeRawPointer?
            let bytes = unsafe aq_pulse_peek(stream, &start)
            return bytes > 0 ? unsafe Piece(start: start, bytes: bytes) : nil
        case .recorder(let recorder): return unsafe recorder._withUnsafeGuaranteedRef { $0.peek() }
        }
    }

    /// Drops what ``peek()`` returned.
    @_noLocks func drop() {
        switch self {
        case .libpulse(let stream): unsafe aq_pulse_drop(stream)
        case .recorder(let recorder): unsafe recorder._withUnsafeGuaranteedRef { $0.drop() }
        }
    }

    // MARK: Both. REAL-TIME.

    /// The server's last answer about time; nil before the first.
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

    /// Asks for such an answer, once more than libpulse does by itself.
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
