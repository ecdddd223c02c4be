// SPDX-License-Identifier: MIT

import AQCodecs
import CoreAudioTypes

/// The stage that passes captured audio through a client's tap, before packets are made.
///
/// Belongs to the thread that makes packets. A call of the tap is for at most ``QueueTapFormat/maximumFrames``, or
/// fewer at a block's end, and cannot read further frames. Frames that the tap returns are continuous, and keep their
/// capture times. Frames that it omits do not count as lost.
@safe final class CaptureTapStage: QueueTapSource {
    // SAFETY: `floats` and `packed` hold the frames of a call, which are at most `maximumFrames`. A call's block is
    // memory of the pool that is not used elsewhere during the call.

    @safe private struct Call {
        let floats: UnsafeMutablePointer<Float>
        let frames: Int
        let span: CapturedSpan
        /// Whether the first frame begins the stream.
        let isAtStart: Bool
        let isAtEnd: Bool
        var readFrames = 0
    }

    @safe private struct Outcome {
        /// The output in memory of this stage, valid until the next call.
        let bytes: UnsafeRawBufferPointer
        let frames: Int
        /// The number of the call's frames that the tap has read.
        let readFrames: Int
        let givenTime: (frame: Int64, hostTime: UInt64)?
    }

    let format: QueueTapFormat
    private let tap: QueueTap
    private let channels: Int
    private let output: TapBuffers
    private let lent: TapBuffers
    /// The tap's output, interleaved.
    private let floats: UnsafeMutablePointer<Float>
    /// The tap's output in the packet maker's input format.
    private let packed: UnsafeMutableRawPointer
    private let packedBytesPerFrame: Int
    private let converter: LinearPCMConverter
    private var call: Call?
    /// Whether the next frame does not follow the previous one.
    private var isAtStart = true
    private var nextFrame: Int64 = 0

    /// - Throws: ``QueueError/Code/unsupportedFormat`` if floats cannot be converted to the packet maker's format.
    init(_ tap: QueueTap, before maker: PacketMaker) throws(QueueError) {
        let input = maker.inputFormat
        let channels = max(1, Int(input.mChannelsPerFrame))
        let format = QueueTapFormat(sampleRate: input.mSampleRate, channels: channels)
        let packedBytesPerFrame = max(1, Int(input.mBytesPerFrame))
        do throws(CodecError) {
            converter = try LinearPCMConverter(
                from: .float(channels: channels, sampleRate: input.mSampleRate), to: input)
        } catch {
            throw QueueError(.unsupportedFormat, error.message)
        }
        self.tap = tap
        self.channels = channels
        self.format = format
        self.packedBytesPerFrame = packedBytesPerFrame
        output = TapBuffers(channels: channels, capacityFrames: format.maximumFrames)
        lent = TapBuffers(channels: channels, capacityFrames: format.maximumFrames)
        unsafe floats = .allocate(capacity: format.maximumFrames * channels)
        unsafe packed = .allocate(byteCount: format.maximumFrames * packedBytesPerFrame, alignment: 16)
    }

    deinit {
        unsafe floats.deallocate()
        unsafe packed.deallocate()
    }

    /// Marks that the next frame does not follow the previous one.
    func restart() { isAtStart = true }

    func restartTimeline() {
        isAtStart = true
        nextFrame = 0
    }

    /// Passes a block of interleaved 32-bit floats through the tap, to the packet maker.
    ///
    /// - Parameters:
    ///   - isLast: Whether no audio follows the block.
    ///   - isWanted: Called before each call of the tap. If it returns false, the rest of the block is dropped.
    func pass(
        _ captured: CapturedBlock, isLast: Bool, to maker: PacketMaker, while isWanted: () -> Bool
    ) {
        let frames = captured.byteCount / (channels * MemoryLayout<Float>.stride)
        let block = unsafe captured.block.base.assumingMemoryBound(to: Float.self)
        if captured.frame != nextFrame { isAtStart = true }
        nextFrame = captured.frame + Int64(frames)
        var done = 0
        while done < frames, isWanted() {
            let wanted = min(format.maximumFrames, frames - done)
            let elapsed = UInt64(Double(done) * 1e9 / format.format.mSampleRate)
            var span = CapturedSpan(
                frame: captured.frame + Int64(done), frames: Int64(wanted),
                hostTime: captured.hostTime &+ elapsed)
            let outcome = unsafe process(
                Call(
                    floats: block + done * channels, frames: wanted, span: span, isAtStart: isAtStart,
                    isAtEnd: isLast && done + wanted == frames))
            isAtStart = false
            // Frames that the tap has neither read nor replaced remain for the tap's next call. If it has used no
            // frame at all, all are dropped.
            let used = max(outcome.readFrames, outcome.frames)
            if used > 0 { span.frames = Int64(used) }
            span.givenTime = outcome.givenTime
            unsafe maker.append(outcome.bytes, capturedAs: span)
            done += Int(span.frames)
        }
    }

    private func process(_ new: Call) -> Outcome {
        call = new
        defer { call = nil }
        lent.takeBack()
        var flags = tap.kind
        if new.isAtStart { flags.insert(.startOfStream) }
        if new.isAtEnd { flags.insert(.endOfStream) }
        guard !tap.isSiphon else {
            unsafe output.fill(from: new.floats, count: new.frames)
            var timeStamp = self.timeStamp(of: new.span, afterFrames: 0)
            _ = callTap(frames: new.frames, &timeStamp, &flags)
            // The captured audio is recorded, even if the tap changed its copy.
            return unsafe Outcome(
                bytes: pack(new.floats, frames: new.frames), frames: new.frames, readFrames: new.frames,
                givenTime: nil)
        }
        output.clear()
        var timeStamp = AudioTimeStamp()
        let made = callTap(frames: new.frames, &timeStamp, &flags)
        unsafe output.copy(to: floats, count: made)
        return unsafe Outcome(
            bytes: pack(floats, frames: made), frames: made, readFrames: call?.readFrames ?? 0,
            givenTime: position(in: timeStamp))
    }

    /// - Returns: The number of frames that the tap has output: at most as many as requested.
    private func callTap(
        frames: Int, _ timeStamp: inout AudioTimeStamp, _ flags: inout QueueTapFlags
    ) -> Int {
        var made = 0
        // A call of the queue inside the tap must not wait for this thread.
        CallbackScope.run {
            made = unsafe tap.process(frames, &timeStamp, &flags, output.pointer, self)
        }
        return max(0, min(made, frames))
    }

    private func pack(_ floats: UnsafeMutablePointer<Float>, frames: Int) -> UnsafeRawBufferPointer {
        let given = unsafe UnsafeRawBufferPointer(
            start: floats, count: frames * channels * MemoryLayout<Float>.stride)
        let room = unsafe UnsafeMutableRawBufferPointer(start: packed, count: frames * packedBytesPerFrame)
        do throws(CodecError) {
            try unsafe converter.convert(given, into: room)
        } catch {
            // Never thrown for whole frames that fit.
            unsafe room.initializeMemory(as: UInt8.self, repeating: 0)
        }
        return UnsafeRawBufferPointer(room)
    }

    // MARK: Times

    private func timeStamp(of span: CapturedSpan, afterFrames frames: Int) -> AudioTimeStamp {
        var timeStamp = AudioTimeStamp()
        timeStamp.mSampleTime = Double(span.frame) + Double(frames)
        timeStamp.mHostTime =
            span.hostTime &+ UInt64(Double(frames) * 1e9 / format.format.mSampleRate)
        timeStamp.mFlags = [.sampleTimeValid, .hostTimeValid]
        return timeStamp
    }

    /// Returns the position of the output according to the tap; nil keeps the capture times.
    private func position(in timeStamp: AudioTimeStamp) -> (frame: Int64, hostTime: UInt64)? {
        guard timeStamp.mFlags.contains([.sampleTimeValid, .hostTimeValid]) else { return nil }
        // Beyond these limits frame numbers are not exact, and host times invalid.
        guard abs(timeStamp.mSampleTime) <= 0x1p53, timeStamp.mHostTime <= 1 << 62 else { return nil }
        return (frame: Int64(timeStamp.mSampleTime.rounded()), hostTime: timeStamp.mHostTime)
    }

    // MARK: The tap's side

    func read(
        frames: Int, timeStamp: inout AudioTimeStamp, into audio: UnsafeMutablePointer<AudioBufferList>
    ) throws(QueueError) -> (frames: Int, flags: QueueTapFlags) {
        guard let call, !tap.isSiphon else {
            throw QueueError(
                .invalidTapContext, "cannot read a tap's audio outside the call of a tap that processes it")
        }
        let list = unsafe UnsafeMutableAudioBufferListPointer(audio)
        let first = call.readFrames
        // The rest of the list's memory suffices for all reads of a call, because no frame is read twice.
        let count = min(try unsafe lent.beginReading(frames: frames, into: list), call.frames - first)
        unsafe lent.read(call.floats + first * channels, count: count, into: list)
        unsafe lent.endReading(frames: count, into: list)
        timeStamp = self.timeStamp(of: call.span, afterFrames: first)
        var flags: QueueTapFlags = []
        if call.isAtStart && first == 0 { flags.insert(.startOfStream) }
        if call.isAtEnd && first + count == call.frames { flags.insert(.endOfStream) }
        self.call?.readFrames = first + count
        return (count, flags)
    }

    func queueTime() throws(QueueError) -> (sampleTime: Double, frames: Int) {
        throw QueueError(.invalidTapType, "a tap of an input queue has no queue time")
    }
}
