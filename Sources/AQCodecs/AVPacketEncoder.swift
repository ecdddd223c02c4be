// SPDX-License-Identifier: MIT

#if HAVE_AV_CODECS
import CAQAVCodec
import CoreAudioTypes

/// An encoder of AAC, Apple Lossless, IMA 4:1 and MP3, by libavcodec.
///
/// Channels are expected in the order of ``DecodedChannelOrder``.
@safe final class AVPacketEncoder: PacketEncoder {
    let inputFormat: AudioStreamBasicDescription
    let outputFormat: AudioStreamBasicDescription
    let magicCookie: [UInt8]
    let primingFrames: Int
    private(set) var remainderFrames = 0
    let maximumPacketSize: Int
    let bitRate: Int

    private let settings: AVSettings
    private var handle: AVEncoderHandle
    private var state = State.open
    /// The frames to encode, from `waitingStart` on.
    private var waiting: [UInt8] = []
    private var waitingStart = 0
    private var frames = 0
    private var packets = 0
    /// The last packet, until it is taken. Its memory belongs to the encoder.
    private var packet: UnsafeRawBufferPointer?

    private enum State {
        case open
        /// The caller has marked the end of the frames.
        case finished
        /// The codec has received the end of the frames.
        case draining
        /// The last packet was taken.
        case ended
        case failed
    }

    /// Makes an encoder with a C encoder that was opened with `settings`.
    init(
        handle: consuming AVEncoderHandle, settings: AVSettings, outputFormat: AudioStreamBasicDescription,
        magicCookie: [UInt8] = [], maximumPacketSize: Int
    ) {
        self.settings = settings
        self.outputFormat = outputFormat
        self.magicCookie = magicCookie
        self.maximumPacketSize = maximumPacketSize
        bitRate = settings.bitRate
        primingFrames = handle.primingFrames
        inputFormat = settings.pcmFormat(sampleRate: outputFormat.mSampleRate)
        self.handle = handle
    }

    func append(_ frames: UnsafeRawBufferPointer) throws(CodecError) {
        guard state == .open else {
            throw state == .failed
                ? failure("it failed before")
                : CodecError(.invalidFormat, "\(attempted): frames after the end")
        }
        let frameBytes = Int(inputFormat.mBytesPerFrame)
        guard frames.count % frameBytes == 0 else {
            throw CodecError(
                .invalidFormat, "\(attempted): \(frames.count) bytes are not whole frames of \(frameBytes)")
        }
        if waitingStart > 0 {
            waiting.removeSubrange(..<waitingStart)
            waitingStart = 0
        }
        unsafe waiting.append(contentsOf: frames)
        self.frames += frames.count / frameBytes
    }

    func finish() throws(CodecError) {
        switch state {
        case .open: state = .finished
        case .finished, .draining, .ended: break
        case .failed: throw failure("it failed before")
        }
    }

    func nextPacket(into output: UnsafeMutableRawBufferPointer) throws(CodecError) -> EncodedPacket? {
        guard var taken = unsafe try takePacket(into: output) else { return nil }
        guard outputFormat.hasConstantPacketSize else { return taken }
        while output.count - taken.bytes >= maximumPacketSize {
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: output[taken.bytes...])
            guard let next = unsafe try takePacket(into: rest) else { break }
            taken.bytes += next.bytes
            taken.frames += next.frames
        }
        return taken
    }

    private func takePacket(
        into output: UnsafeMutableRawBufferPointer
    ) throws(CodecError) -> EncodedPacket? {
        while true {
            if let packet = unsafe packet { return try unsafe give(packet, into: output) }
            switch state {
            case .failed: throw failure("it failed before")
            case .ended: return nil
            case .open, .finished, .draining: break
            }
            switch try makePacket() {
            case AQ_AV_AGAIN: if try !feed() { return nil }
            case AQ_AV_END: end()
            default: break
            }
        }
    }

    func reset() throws(CodecError) {
        unsafe packet = nil
        waiting.removeAll()
        waitingStart = 0
        frames = 0
        packets = 0
        remainderFrames = 0
        state = .failed
        do throws(CodecError) {
            handle = try AVEncoderHandle(settings, encoding: outputFormat)
        } catch {
            // The format was supported before.
            throw CodecError(.encoderFailed, error.message)
        }
        state = .open
    }

    private func give(
        _ packet: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CodecError) -> EncodedPacket {
        guard output.count >= packet.count else {
            throw CodecError(
                .outputTooSmall,
                "\(attempted): a packet of \(packet.count) bytes does not fit \(output.count) bytes")
        }
        // SAFETY: the memory is valid until the next packet is requested from the encoder.
        unsafe output.copyMemory(from: packet)
        unsafe self.packet = nil
        packets += 1
        return EncodedPacket(bytes: packet.count, frames: handle.packetFrames)
    }

    private func makePacket() throws(CodecError) -> Int32 {
        var address: UnsafePointer<UInt8>?
        var bytes = 0
        let (result, reason) = unsafe AVReason.collect { reason in
            unsafe aq_av_encoder_next_packet(handle.pointer, &address, &bytes, reason)
        }
        if result == AQ_AV_FAILED { throw fail(reason) }
        if result == AQ_AV_OK { unsafe packet = UnsafeRawBufferPointer(start: address, count: bytes) }
        return result
    }

    /// Passes the frames of one packet to the codec; at the end, the remaining frames.
    ///
    /// - Returns: False if further frames are required first.
    private func feed() throws(CodecError) -> Bool {
        let frameBytes = Int(inputFormat.mBytesPerFrame)
        let ready = min((waiting.count - waitingStart) / frameBytes, handle.packetFrames)
        let isEnd = state == .finished
        guard ready == handle.packetFrames || isEnd else { return false }
        let (result, reason) = unsafe AVReason.collect { reason in
            unsafe waiting.withUnsafeBytes { waiting in
                // SAFETY: `ready` frames follow `start`, and the codec copies them.
                if ready > 0, let start = waiting.baseAddress {
                    return unsafe aq_av_encoder_append(
                        handle.pointer, start + waitingStart, Int32(ready), reason)
                }
                if frames == 0 { return AQ_AV_END }
                return unsafe aq_av_encoder_finish(handle.pointer, reason)
            }
        }
        switch result {
        case AQ_AV_FAILED: throw fail(reason)
        case AQ_AV_END: end()
        default: if ready == 0 { state = .draining }
        }
        waitingStart += ready * frameBytes
        return true
    }

    private func end() {
        state = .ended
        remainderFrames = max(0, packets * handle.packetFrames - (frames > 0 ? primingFrames : 0) - frames)
    }

    private var attempted: String { "cannot encode \(outputFormat.encodingSummary)" }

    private func failure(_ reason: String) -> CodecError {
        CodecError(.encoderFailed, "\(attempted): \(reason)")
    }

    private func fail(_ reason: String) -> CodecError {
        state = .failed
        return failure(reason)
    }
}
#endif
