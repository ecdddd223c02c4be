// SPDX-License-Identifier: MIT

import AQCodecs
import AQDevices
import CoreAudioTypes
import Synchronization

/// An encoder with readable packets: a few unmodified 16-bit samples of one channel, then as many bytes as the packet's
/// number.
///
/// Like a real one it begins with priming frames, which are 0, keeps incomplete packets, and pads its last packet with
/// 0.
final class StubEncoder: PacketEncoder {
    static let framesPerPacket = 4
    /// The longest tail; tails have 0 to 2 bytes.
    static let longestTail = 2

    let inputFormat: AudioStreamBasicDescription
    let outputFormat: AudioStreamBasicDescription
    let magicCookie: [UInt8] = [1, 2, 3]
    let primingFrames: Int
    private(set) var remainderFrames = 0
    let maximumPacketSize = StubEncoder.framesPerPacket * 2 + StubEncoder.longestTail
    let bitRate = 0

    private let lookahead: Int
    private let given: FrameTally
    private let failsAtFrame: Int
    private var frames: [Int16]
    private var taken = 0
    private var packets = 0
    private var isFinished = false

    /// - Parameters:
    ///   - lookahead: Frames that must follow a packet before it is complete.
    ///   - failsAtFrame: How many frames can be encoded.
    ///   - given: Counts the frames that it was given.
    init(
        _ format: AudioStreamBasicDescription, primingFrames: Int = 3, lookahead: Int = 5,
        failsAtFrame: Int = .max, given: FrameTally = FrameTally()
    ) {
        self.given = given
        inputFormat = .signedInteger(bits: 16, channels: 1, sampleRate: format.mSampleRate)
        outputFormat = .encoded(
            format.mFormatID, framesPerPacket: Self.framesPerPacket, channels: 1,
            sampleRate: format.mSampleRate)
        self.primingFrames = primingFrames
        self.lookahead = lookahead
        self.failsAtFrame = failsAtFrame
        frames = Array(repeating: 0, count: primingFrames)
    }

    func append(_ bytes: UnsafeRawBufferPointer) throws(CodecError) {
        guard !isFinished, bytes.count % 2 == 0 else { throw CodecError(.invalidFormat, "no frames") }
        for offset in stride(from: 0, to: bytes.count, by: 2) {
            frames.append(unsafe bytes.loadUnaligned(fromByteOffset: offset, as: Int16.self))
        }
        given.add(bytes.count / 2)
        if frames.count > failsAtFrame { throw CodecError(.encoderFailed, "cannot encode: worn out") }
    }

    func finish() throws(CodecError) {
        isFinished = true
        let over = frames.count % Self.framesPerPacket
        remainderFrames = over == 0 ? 0 : Self.framesPerPacket - over
        frames += Array(repeating: 0, count: remainderFrames)
    }

    func nextPacket(into output: UnsafeMutableRawBufferPointer) throws(CodecError) -> EncodedPacket? {
        guard frames.count - taken >= Self.framesPerPacket + (isFinished ? 0 : lookahead) else { return nil }
        let tail = packets % (Self.longestTail + 1)
        let byteCount = Self.framesPerPacket * 2 + tail
        guard output.count >= byteCount else { throw CodecError(.outputTooSmall, "no room") }
        for frame in 0..<Self.framesPerPacket {
            unsafe output.storeBytes(of: frames[taken + frame], toByteOffset: frame * 2, as: Int16.self)
        }
        for offset in (byteCount - tail)..<byteCount { unsafe output[offset] = 0xEE }
        taken += Self.framesPerPacket
        packets += 1
        return EncodedPacket(bytes: byteCount, frames: Self.framesPerPacket)
    }

    func reset() throws(CodecError) {
        frames = Array(repeating: 0, count: primingFrames)
        (taken, packets, isFinished, remainderFrames) = (0, 0, false, 0)
    }
}

/// Counts frames across threads.
final class FrameTally: Sendable {
    private let count = Atomic<Int>(0)

    var frames: Int { count.load(ordering: .relaxed) }

    func add(_ frames: Int) { count.add(frames, ordering: .relaxed) }
}
