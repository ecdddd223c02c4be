// SPDX-License-Identifier: MIT

@testable import AQCodecs
import CoreAudioTypes

/// A codec with packets of varying size: a count, 16-bit samples of one channel, padding.
enum FakeCodec {
    static let framesPerPacket = 10
    static let priming = 3

    static func format(channels: Int = 1) -> Format {
        .encoded(0x6661_6B65, framesPerPacket: framesPerPacket, channels: channels, sampleRate: 48000)
    }

    static let pcm = Format.signedInteger(bits: 16, channels: 1, sampleRate: 48000)

    /// A converter of 16-bit samples to fake packets.
    static func encoding(
        _ encoder: FakeEncoder = FakeEncoder(), from input: Format = pcm
    ) throws
        -> AudioConverter
    {
        try AudioConverter(from: input, to: format(), decoder: nil) {
            (_, _) throws(CodecError) -> (any PacketEncoder)? in encoder
        }
    }

    /// A converter of fake packets to linear PCM.
    static func decoding(
        _ decoder: FakeDecoder = FakeDecoder(), to output: Format = pcm
    ) throws
        -> AudioConverter
    {
        try AudioConverter(from: format(), to: output, decoder: decoder) {
            (_, _) throws(CodecError) -> (any PacketEncoder)? in nil
        }
    }
}

final class FakeEncoder: PacketEncoder {
    let inputFormat = FakeCodec.pcm
    let outputFormat = FakeCodec.format()
    let magicCookie: [UInt8] = [1, 2, 3]
    let primingFrames = FakeCodec.priming
    private(set) var remainderFrames = 0
    let maximumPacketSize = 1 + 2 * FakeCodec.framesPerPacket + 2
    let bitRate = 0
    var failsAtPacket: Int?

    private var waiting = [Int16](repeating: 0, count: FakeCodec.priming)
    private var isFinished = false
    private var packets = 0

    func append(_ frames: UnsafeRawBufferPointer) {
        waiting += unsafe samples(Int16.self, of: Array(frames))
    }

    func finish() {
        isFinished = true
        let last = waiting.count % FakeCodec.framesPerPacket
        if last > 0 {
            remainderFrames = FakeCodec.framesPerPacket - last
            waiting += Array(repeating: 0, count: remainderFrames)
        }
    }

    func nextPacket(into output: UnsafeMutableRawBufferPointer) throws(CodecError) -> EncodedPacket? {
        guard waiting.count >= FakeCodec.framesPerPacket else { return nil }
        if packets == failsAtPacket { throw CodecError(.encoderFailed, "cannot encode: as requested") }
        let frames = Array(waiting.prefix(FakeCodec.framesPerPacket))
        let packet = [UInt8(frames.count)] + rawBytes(of: frames) + Array(repeating: 0, count: packets % 3)
        guard output.count >= packet.count else {
            throw CodecError(.outputTooSmall, "cannot encode: no room")
        }
        unsafe output.copyBytes(from: packet)
        waiting.removeFirst(FakeCodec.framesPerPacket)
        packets += 1
        return EncodedPacket(bytes: packet.count, frames: frames.count)
    }

    func reset() {
        waiting = Array(repeating: 0, count: FakeCodec.priming)
        isFinished = false
        remainderFrames = 0
    }
}

final class FakeDecoder: PacketDecoder {
    let inputFormat = FakeCodec.format()
    let outputFormat = FakeCodec.pcm
    let maximumFramesPerPacket = FakeCodec.framesPerPacket
    private(set) var damagedPackets = 0
    private(set) var packets = 0
    private(set) var resets = 0
    var failsAtPacket: Int?

    func decode(
        _ packet: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CodecError) -> Int {
        if packets == failsAtPacket { throw CodecError(.decoderFailed, "cannot decode: as requested") }
        let frames = unsafe Int(packet[0])
        guard output.count >= 2 * frames else { throw CodecError(.outputTooSmall, "cannot decode: no room") }
        unsafe output.copyMemory(from: UnsafeRawBufferPointer(rebasing: packet[1..<1 + 2 * frames]))
        packets += 1
        return frames
    }

    func reset() { resets += 1 }
}
