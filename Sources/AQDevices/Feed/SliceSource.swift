// SPDX-License-Identifier: MIT

import CAQRealTime

/// A client's code that renders audio when a device requests it, always the same number of frames: a slice.
///
/// The thread of the stream runs the code (``OutputStream/servingThread``), where the server has requested the frames.
/// No queue is between them. One stream uses a source.
@safe public final class SliceSource: @unchecked Sendable {
    // SAFETY: only the thread of the stream uses the memory and the variable fields.

    /// The time of a slice.
    public struct Time: Sendable, Equatable {
        /// The slice's first frame on the stream's timeline, which includes the silence of underruns.
        public var frame: Double
        /// The time at which that frame will be audible, as far as it is known (CLOCK_MONOTONIC, nanoseconds).
        public var hostTime: UInt64
    }

    /// The longest plausible time from rendering a slice until it is audible, in nanoseconds.
    static let longestLead: UInt64 = 1_000_000_000

    /// The length of a slice.
    public let frames: Int
    let byteCount: Int
    /// The samples of the current slice, in the stream's format.
    let memory: UnsafeMutableRawPointer
    private let code: (UnsafeMutableRawBufferPointer, Time) -> Void

    /// The stream's clock when the slices of the current request are rendered, and the host time.
    var clock = PlaybackClock.State()
    var now: UInt64 = 0
    /// The host times at which the last slice was rendered, and was to be audible.
    private(set) var lastSlice: (rendered: UInt64, audible: UInt64) = (0, 0)
    /// Frames per nanosecond.
    private let nominalRate: Double
    // REAL-TIME: a counted reference would be retained for each call.
    /// The loop that runs the code, which lives as long as the process; nil in tests.
    var loop: Unmanaged<PulseLoop>?

    /// - Parameters:
    ///   - frames: The length of a slice, at least 1.
    ///   - format: The format of the stream.
    ///   - code: Fills the memory with a slice. It is silent if nothing is written. The code must not wait.
    public init(
        frames: Int, format: SampleFormat,
        _ code: @escaping @Sendable (_ slice: UnsafeMutableRawBufferPointer, _ time: Time) -> Void
    ) {
        self.frames = max(1, frames)
        unsafe self.code = code
        byteCount = self.frames * format.bytesPerFrame
        nominalRate = format.sampleRate / 1e9
        unsafe memory = .allocate(byteCount: byteCount, alignment: 64)
    }

    deinit { unsafe memory.deallocate() }

    // REAL-TIME: not checked by the compiler, because the client's code runs here, on a thread that serves only this
    // client.
    /// Runs the code for the slice that begins at a frame of the renderer.
    @_semantics("no_performance_analysis") func render(from frame: Int64) {
        var time = time(of: frame)
        // No time decreases, except after an impossible one.
        let (early, last) = (time.hostTime, lastSlice.audible)
        if early < last, last - early < SliceSource.longestLead { time.hostTime = last }
        lastSlice = (now, time.hostTime)
        unsafe loop?._withUnsafeGuaranteedRef { $0.renderingBegins() }
        unsafe code(UnsafeMutableRawBufferPointer(start: memory, count: byteCount), time)
        unsafe loop?._withUnsafeGuaranteedRef { $0.renderingEnded() }
    }

    private func time(of frame: Int64) -> Time {
        // While the clock is stopped, before the first frame is audible and after an underrun, the frame follows those
        // that were written.
        let isMoving = clock.frameRate > 0
        let reference = isMoving ? clock.anchorHostTime : now
        let nanoseconds = (Double(frame) - clock.anchorFrame) / (isMoving ? clock.frameRate : nominalRate)
        return Time(
            frame: Double(frame) + clock.silence(at: now, nominalRate: nominalRate) - clock.timelineZero,
            hostTime: reference &+ UInt64(bitPattern: Int64(max(-1e15, min(nanoseconds, 1e15)))))
    }
}
