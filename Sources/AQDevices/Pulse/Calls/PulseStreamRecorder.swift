// SPDX-License-Identifier: MIT

import CAQRealTime

/// A stream of a ``PulseRecorder``. A test sets its state on the server.
@safe final class PulseStreamRecorder {
    // SAFETY: kept by its recorder. The memory has room for `mostBytes`, and belongs to this object.
    private static let mostBytes = 1 << 20

    let recorder: PulseRecorder
    private let memory: UnsafeMutableRawPointer

    var state = PulseStreamCalls.State.creating
    var writableBytes = 0
    var readableBytes = 0
    var timing: PulseTimingAnswer?
    var isCorked = false
    var isSuspended = false
    var attributes: PulseBufferAttributes?
    var deviceName: String?
    var deviceIndex: UInt32 = 0
    private(set) var hasEnded = false

    init(_ recorder: PulseRecorder) {
        self.recorder = recorder
        unsafe memory = .allocate(byteCount: PulseStreamRecorder.mostBytes, alignment: 16)
        unsafe aq_zero(memory, PulseStreamRecorder.mostBytes)
    }

    deinit { unsafe memory.deallocate() }

    // REAL-TIME: not checked by the compiler, since it allocates. Used only in tests.
    @_semantics("no_performance_analysis") func note(_ call: PulseRecorder.Call) { recorder.note(call) }

    /// Records that a stream is made, and grants the requested buffer sizes, which a test may change.
    func connect(_ call: PulseRecorder.Call) -> Bool {
        note(call)
        switch call {
        case .connectPlayback(let sink, let asked, let options):
            attributes = asked
            deviceName = sink ?? "default sink"
            isCorked = options.contains(.startsCorked)
        case .connectRecording(let source, let asked, _):
            attributes = asked
            deviceName = source ?? "default source"
        default: break
        }
        return !recorder.refuses
    }

    func setCorked(_ isCorked: Bool) {
        note(.setCorked(isCorked))
        self.isCorked = isCorked
    }

    func end() {
        note(.endStream)
        hasEnded = true
    }

    // MARK: The audio path

    @_semantics("no_performance_analysis") func beginWrite(
        bytes: Int
    ) -> (start: UnsafeMutableRawPointer, bytes: Int) {
        unsafe (memory, min(bytes, PulseStreamRecorder.mostBytes))
    }

    @_semantics("no_performance_analysis") func write(bytes: Int, at offset: Int64) -> Bool {
        note(.write(bytes: bytes, offset: offset))
        writableBytes = max(0, writableBytes - bytes)
        return state != .failed
    }

    @_semantics("no_performance_analysis") func peek() -> (start: UnsafeRawPointer?, bytes: Int)? {
        guard readableBytes > 0 else { return nil }
        return unsafe (UnsafeRawPointer(memory), min(readableBytes, PulseStreamRecorder.mostBytes))
    }

    @_semantics("no_performance_analysis") func drop() {
        readableBytes -= min(readableBytes, PulseStreamRecorder.mostBytes)
    }
}
