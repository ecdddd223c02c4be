// SPDX-License-Identifier: MIT

import AQDevices
import CoreAudioTypes
import Glibc
import Synchronization

/// The captured side of a unit: the memory that its stream fills, and the frames that wait for the client.
///
/// The device's thread takes slices, and any thread gets frames, one at a time. No call takes a lock. The only memory that
/// a call allocates is that of libsoxr, when the resampling of captured frames begins.
@safe final class UnitInput: @unchecked Sendable {
    // SAFETY: fields are constant, or are used by the device's thread only, or with the turn, as marked.

    /// The number of slices that the device can fill before the client gets the first.
    private static let segmentCount = 16
    /// The least number of frames that can wait for the client: a server may deliver a period of many slices at once.
    private static let fewestFrames = 16_384

    let side: IOSetup.Direction
    let stream: any InputStream
    private let captured: CapturedFrames
    private let bytesPerFrame: Int
    private let segmentBytes: Int
    private let restarts = Atomic<Int>(0)

    // Of the device's thread.
    private let segments: UnsafeMutableRawPointer
    private let routing: ChannelRouting?
    /// The last time of a captured slice, which the next does not precede.
    private var lastTime: UInt64 = 0
    /// The frame that follows the last captured one, unless frames were lost.
    private var nextFrame = Int64.max
    private var seenRestarts = 0
    /// The frames at the output's pace; nil without an output, or without the resampler's library.
    private let duplex: DuplexInput?
    /// Whether the code that renders the output fetches the captured frames.
    private var isFetchedByOutput = false

    // Of the thread that has the turn.
    private let hasTurn = Atomic<Bool>(false)
    private let buffers: SliceBuffers
    private let scratch: UnsafeMutableRawPointer

    /// - Parameter output: The unit's other stream, whose thread also serves this one; nil for none.
    /// - Throws: The error of the device.
    init(
        _ side: IOSetup.Direction, _ setup: IOSetup, on device: any InputDevice,
        _ output: (any OutputStream)?
    ) throws(DeviceError) {
        self.side = side
        let format = side.streamFormat
        var configuration = InputStreamConfiguration(
            format: format, heldSeconds: 0.5, recoverySeconds: setup.recoverySeconds,
            streamName: setup.name, role: setup.recordingRole, channelNumbers: side.channelNumbers)
        configuration.servesClient = true
        configuration.fillsGaps = false
        configuration.servingThread = output?.servingThread
        stream = try device.makeStream(configuration)
        routing = side.makeRouting(.input)
        let frames = max(side.sliceFrames, setup.maximumFrames)
        let clientBytesPerFrame = side.client.streamBytesPerFrame
        buffers = SliceBuffers(side.client, capacityFrames: frames)
        captured = CapturedFrames(
            capacity: max(8 * side.sliceFrames, 2 * frames, Self.fewestFrames),
            bytesPerFrame: clientBytesPerFrame)
        duplex =
            output == nil
            ? nil
            : DuplexInput(
                captured, channels: Int(side.client.format.mChannelsPerFrame),
                sampleRate: side.client.format.mSampleRate, sliceFrames: side.sliceFrames)
        unsafe scratch = .allocate(byteCount: frames * clientBytesPerFrame, alignment: 64)
        bytesPerFrame = format.bytesPerFrame
        segmentBytes = side.sliceFrames * bytesPerFrame
        unsafe segments = .allocate(byteCount: Self.segmentCount * segmentBytes, alignment: 64)
        for index in 0..<Self.segmentCount { enqueue(UInt64(index)) }
    }

    deinit {
        unsafe segments.deallocate()
        unsafe scratch.deallocate()
    }

    private func memory(ofSegment token: UInt64) -> UnsafeMutableRawPointer {
        unsafe segments + Int(token) * segmentBytes
    }

    private func enqueue(_ token: UInt64) {
        _ = stream.feed.enqueue(
            unsafe StreamSegment(room: memory(ofSegment: token), byteCount: segmentBytes, token: token))
    }

    /// Drops what waits, since the unit starts. Any thread.
    func restart() {
        captured.removeAll()
        restarts.add(1, ordering: .releasing)
    }

    /// Drops the captured frames that wait. Any thread.
    func reset() { captured.removeAll() }

    // MARK: The device's thread

    /// After a restart, forgets how the frames of the last start were fetched. Times continue, since they do not decrease.
    private func noteRestart() {
        let restarts = restarts.load(ordering: .acquiring)
        guard restarts != seenRestarts else { return }
        seenRestarts = restarts
        isFetchedByOutput = false
        duplex?.end()
    }

    /// Adds the frames of a segment to those that wait.
    ///
    /// - Parameter hasCode: Whether the client's code is informed of slices.
    /// - Returns: The number of frames.
    func take(_ event: DeviceEvent, hasCode: Bool) -> Int {
        noteRestart()
        let frames = event.byteCount / bytesPerFrame
        // A client that gets slices in its callback gets this one, not frames that it has not fetched.
        if hasCode, !isFetchedByOutput { captured.removeAll() }
        let memory = unsafe memory(ofSegment: event.token)
        unsafe routing?.route(frames: frames, fromDevice: memory)
        // Frames begin at 0 with each start.
        var lost = Int(max(0, event.frame - nextFrame))
        nextFrame = event.frame + Int64(frames)
        lost += unsafe captured.append(routing?.clientSamples.baseAddress ?? memory, frames: frames)
        if lost > 0 { duplex?.skip(lost) }
        lastTime = max(lastTime, event.hostTime)
        return frames
    }

    /// The time of the slice that was taken last: not before that of the one before it.
    var sliceTime: UInt64 { lastTime }

    /// Makes a segment available to the device again.
    func giveBack(_ event: DeviceEvent) {
        enqueue(event.token)
        stream.roomAvailable()
    }

    // MARK: Any thread

    /// Passes captured frames to the client.
    ///
    /// - Parameter audibleAt: For the code that renders the output, the time at which its slice is audible. Missing frames
    ///   are then silent.
    /// - Throws: ``UnitError/Code/cannotDoInCurrentContext`` if fewer frames were captured, or while another thread makes
    ///   the same call; ``UnitError/Code/parameter`` if the list does not fit.
    @unsafe func render(
        frames: Int, into list: UnsafeMutableAudioBufferListPointer, isMuted: Bool, audibleAt: UInt64?
    ) throws(UnitError) {
        guard hasTurn.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged else {
            throw UnitError(.cannotDoInCurrentContext, "cannot render: another thread renders")
        }
        defer { hasTurn.store(false, ordering: .releasing) }
        try unsafe buffers.check(list, frames: frames, lendsMemory: side.lendsMemory)
        if let audibleAt {
            takeAtOutputPace(frames, audibleAt)
        } else if unsafe !captured.take(frames, into: scratch) {
            // REAL-TIME: a constant, since a text that is made would allocate memory.
            throw UnitError(.cannotDoInCurrentContext, "cannot render: fewer frames were captured")
        }
        if isMuted { unsafe _ = memset(scratch, 0, frames * side.client.streamBytesPerFrame) }
        try unsafe buffers.deliver(scratch, frames: frames, to: list, lendsMemory: side.lendsMemory)
    }

    /// Moves frames to the scratch memory, on the device's thread.
    private func takeAtOutputPace(_ frames: Int, _ audibleAt: UInt64) {
        noteRestart()
        isFetchedByOutput = true
        let count = frames * Int(side.client.format.mChannelsPerFrame)
        let floats = unsafe scratch.bindMemory(to: Float.self, capacity: count)
        if let duplex {
            unsafe duplex.take(frames, into: floats, position: stream.position(), audibleAt: audibleAt)
        } else if unsafe !captured.take(frames, into: scratch) {
            // Without the resampler's library the frames are passed on as they are captured.
            unsafe floats.update(repeating: 0, count: count)
        }
    }
}
