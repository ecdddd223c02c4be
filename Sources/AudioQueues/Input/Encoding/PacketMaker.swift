// SPDX-License-Identifier: MIT

import AQCodecs
import CoreAudioTypes

/// An encoder of captured audio, with the positions of its packets on the queue's timeline.
///
/// Belongs to one thread at a time: the one that runs callbacks, or the queue's thread if a context runs them.
///
/// **Lost frames.** Audio is never moved to close a gap. If captured frames are missing, silence completes the current
/// packet, whole packets are omitted, and the rest of the gap is silence in the next packet. So packets keep their
/// exact capture times, and the client can detect the gap between two packets. Silence for the whole gap would hide
/// from the client that packets are missing, and encode hours of silence after a long gap. Another encoded stream after
/// the gap would put the encoder's priming and remainder into the middle of the client's file, which no packet table
/// can describe.
final class PacketMaker {
    private let encoder: any PacketEncoder
    private let framesPerPacket: Int64
    private let bytesPerFrame: Int
    /// The size of a packet in bytes; 0 if packets vary in size.
    private let packetBytes: Int
    private let silence: [UInt8]
    private var timeline: EncodedTimeline
    /// The number of frames passed to the encoder, including silence.
    private var inputFrames: Int64 = 0
    /// The input frame at which the encoder's next packet starts; initially negative, because of the priming.
    private var packetFrame: Int64
    /// The position of the device's next frame, unless frames are lost.
    private var nextFrame: Int64 = 0
    /// The number of frames in the packets that were put into buffers.
    private var deliveredFrames: Int64 = 0

    /// The error that ended encoding; nil for none.
    private var failure: CodecError?
    private var isFailureReported = false

    private static let silentFrames = 1024

    init(_ encoder: any PacketEncoder) {
        self.encoder = encoder
        framesPerPacket = max(1, Int64(encoder.outputFormat.mFramesPerPacket))
        packetBytes =
            encoder.outputFormat.hasConstantPacketSize ? Int(encoder.outputFormat.mBytesPerPacket) : 0
        bytesPerFrame = max(1, Int(encoder.inputFormat.mBytesPerFrame))
        // All zero, because an encoder's input is signed integers or floats.
        silence = Array(repeating: 0, count: PacketMaker.silentFrames * bytesPerFrame)
        timeline = EncodedTimeline(sampleRate: encoder.inputFormat.mSampleRate)
        packetFrame = -Int64(encoder.primingFrames)
    }

    /// The format of the audio to encode: native-endian, packed, interleaved linear PCM.
    var inputFormat: AudioStreamBasicDescription { encoder.inputFormat }

    /// Encodes a block, after silence for a gap before the block. Has no effect after a failure.
    func append(_ captured: CapturedBlock) {
        let span = CapturedSpan(
            frame: captured.frame, frames: Int64(captured.byteCount / bytesPerFrame),
            hostTime: captured.hostTime)
        unsafe append(
            UnsafeRawBufferPointer(start: captured.block.base, count: captured.byteCount), capturedAs: span)
    }

    /// Encodes a tap's output like a block. If this has fewer frames than were captured, later frames follow
    /// directly.
    func append(_ frames: UnsafeRawBufferPointer, capturedAs span: CapturedSpan) {
        attempt { () throws(CodecError) in
            try closeGap(before: span)
            if unsafe !frames.isEmpty { try unsafe encoder.append(frames) }
            inputFrames += Int64(frames.count / bytesPerFrame)
            nextFrame = span.frame + span.frames
        }
    }

    /// Packets in a buffer, and the position of the first.
    struct Made {
        var bytes: Int
        var frames: Int
        var packets: Int
        var position: EncodedTimeline.Position
    }

    /// Whether the next packet does not follow the previous one, and therefore requires another buffer.
    var isNextPacketBehindGap: Bool { timeline.isJump(atInputFrame: packetFrame) }

    /// Copies the next packet, or if all packets have one size, as many as fit and are continuous. Returns nil if
    /// none is available.
    func nextPackets(into room: UnsafeMutableRawBufferPointer) -> Made? {
        var room = unsafe room
        if packetBytes > 0, let frames = timeline.framesUntilJump(fromInputFrame: packetFrame) {
            let bytes = Int(max(1, frames / framesPerPacket)) * packetBytes
            unsafe room = UnsafeMutableRawBufferPointer(rebasing: room.prefix(bytes))
        }
        var made: EncodedPacket?
        attempt { () throws(CodecError) in made = try unsafe encoder.nextPacket(into: room) }
        let packets = packetBytes > 0 ? (made?.bytes ?? 0) / packetBytes : 1
        guard let made, packets > 0 else { return nil }
        let position = timeline.position(ofInputFrame: packetFrame)
        packetFrame += Int64(made.frames)
        deliveredFrames += Int64(made.frames)
        return Made(bytes: made.bytes, frames: made.frames, packets: packets, position: position)
    }

    /// Makes the encoder return all frames that it holds back.
    func finish() { attempt { () throws(CodecError) in try encoder.finish() } }

    /// The number of frames after the last captured one in the packets taken so far.
    var remainderFrames: Int {
        Int(max(0, deliveredFrames - Int64(encoder.primingFrames) - inputFrames))
    }

    /// Follows the device, which counts from 0 again.
    func restartTimeline() { nextFrame = 0 }

    func restart() {
        timeline.restart()
        inputFrames = 0
        packetFrame = -Int64(encoder.primingFrames)
        nextFrame = 0
        deliveredFrames = 0
        failure = nil
        isFailureReported = false
        attempt { () throws(CodecError) in try encoder.reset() }
    }

    /// Returns the error that ended encoding, but only once.
    func takeFailure() -> CodecError? {
        guard !isFailureReported, let failure else { return nil }
        isFailureReported = true
        return failure
    }

    private func attempt(_ body: () throws(CodecError) -> Void) {
        guard failure == nil else { return }
        do throws(CodecError) { try body() } catch { failure = error }
    }

    // MARK: Gaps

    private func closeGap(before captured: CapturedSpan) throws(CodecError) {
        var lostFrames: Int64?
        var silentFrames: Int64 = 0
        if captured.frame != nextFrame {
            let lost = max(0, captured.frame - nextFrame)
            // No packet has begun before the first input frame.
            let untilPacketEnd = inputFrames == 0 ? 0 : framesToPacketEnd
            if inputFrames == 0 {
                lostFrames = lost
            } else if captured.frame < nextFrame {
                // The device has begun another timeline.
                try appendSilence(frames: untilPacketEnd)
                lostFrames = 0
            } else if lost < untilPacketEnd {
                silentFrames = lost
            } else {
                try appendSilence(frames: untilPacketEnd)
                silentFrames = (lost - untilPacketEnd) % framesPerPacket
                lostFrames = lost - untilPacketEnd - silentFrames
            }
            // Silence has filled the gap completely.
            if lostFrames == 0, captured.frame >= nextFrame { lostFrames = nil }
        }
        let position = captured.givenTime ?? (frame: captured.frame, hostTime: captured.hostTime)
        let silence = UInt64(Double(silentFrames) * nanosecondsPerFrame)
        let hostTime = position.hostTime > silence ? position.hostTime - silence : 0
        timeline.mark(
            inputFrame: inputFrames, timelineFrame: position.frame - silentFrames, hostTime: hostTime,
            lostFrames: lostFrames)
        try appendSilence(frames: silentFrames)
    }

    private var nanosecondsPerFrame: Double { 1e9 / encoder.inputFormat.mSampleRate }

    /// The number of frames that complete the encoder's current packet; 0 between two packets.
    private var framesToPacketEnd: Int64 {
        let over = (inputFrames + Int64(encoder.primingFrames)) % framesPerPacket
        return over == 0 ? 0 : framesPerPacket - over
    }

    private func appendSilence(frames: Int64) throws(CodecError) {
        var left = frames
        while left > 0 {
            let run = Int(min(left, Int64(PacketMaker.silentFrames)))
            try unsafe silence.withUnsafeBufferPointer { (silence) throws(CodecError) in
                let frames = unsafe silence[..<(run * bytesPerFrame)]
                try unsafe encoder.append(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: frames)))
            }
            inputFrames += Int64(run)
            left -= Int64(run)
        }
    }
}
