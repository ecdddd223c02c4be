// SPDX-License-Identifier: MIT

import AQCodecs
import AQFiles
import CoreAudioTypes

/// Decodes a file's packets, in order, to its valid frames.
@safe final class SoundDecoder {
    /// The number of valid frames decoded.
    private(set) var frames: Int64 = 0
    /// The largest sample, linear.
    private(set) var peak: Float = 0

    private let decoder: any PacketDecoder
    private let converter: LinearPCMConverter
    private let channels: Int
    private let packetBytes: Int
    private let packetsAtOnce: Int
    private let decoded: UnsafeMutableRawBufferPointer
    private let samples: UnsafeMutableBufferPointer<Float>
    private var framesToDiscard: Int64
    /// The number of remaining frames; nil for up to the end of the file.
    private var framesLeft: Int64?

    init(file: AudioFile) throws(CodecError) {
        decoder = try makePacketDecoder(for: file.format, magicCookie: file.magicCookie)
        let output = decoder.outputFormat
        channels = Int(output.mChannelsPerFrame)
        converter = try LinearPCMConverter(
            from: output, to: .float(channels: channels, sampleRate: output.mSampleRate))
        packetBytes = file.format.hasConstantPacketSize ? Int(file.format.mBytesPerPacket) : 0
        packetsAtOnce = max(1, 8192 / max(1, decoder.maximumFramesPerPacket * channels))
        let frames = packetsAtOnce * max(1, decoder.maximumFramesPerPacket)
        unsafe decoded = .allocate(byteCount: frames * Int(output.mBytesPerFrame), alignment: 16)
        unsafe samples = .allocate(capacity: frames * channels)
        unsafe samples.initialize(repeating: 0)
        framesToDiscard = max(0, file.primingFrames)
        framesLeft = file.frameCount.map { max(0, $0) }
    }

    deinit {
        unsafe decoded.deallocate()
        unsafe samples.deallocate()
    }

    var damagedPackets: Int { decoder.damagedPackets }

    /// Decodes whole packets: a single one, or several of constant size.
    ///
    /// - Parameter onSound: Called with the valid frames, possibly in several pieces.
    func decode(
        _ packets: UnsafeRawBufferPointer, onSound: (Span<Float>) -> Void
    ) throws(CodecError) {
        guard packetBytes > 0 else { return try unsafe decodeAtOnce(packets, onSound) }
        let mostBytes = packetBytes * packetsAtOnce
        var start = 0
        while start < packets.count {
            let end = min(start + mostBytes, packets.count)
            try unsafe decodeAtOnce(UnsafeRawBufferPointer(rebasing: packets[start..<end]), onSound)
            start = end
        }
    }

    private func decodeAtOnce(
        _ packets: UnsafeRawBufferPointer, _ onSound: (Span<Float>) -> Void
    ) throws(CodecError) {
        let frames = try unsafe decoder.decode(packets, into: decoded)
        let bytes = frames * Int(decoder.outputFormat.mBytesPerFrame)
        try unsafe converter.convert(
            UnsafeRawBufferPointer(rebasing: decoded[..<bytes]), into: UnsafeMutableRawBufferPointer(samples))
        let discarded = Int(min(framesToDiscard, Int64(frames)))
        let kept = Int(min(Int64(frames - discarded), framesLeft ?? Int64(frames)))
        framesToDiscard -= Int64(discarded)
        framesLeft = framesLeft.map { $0 - Int64(kept) }
        self.frames += Int64(kept)
        guard kept > 0 else { return }
        let sound = unsafe UnsafeBufferPointer(
            rebasing: samples[(discarded * channels)..<((discarded + kept) * channels)])
        let span = unsafe sound.span
        for index in span.indices where span[index].magnitude > peak { peak = span[index].magnitude }
        onSound(span)
    }
}
