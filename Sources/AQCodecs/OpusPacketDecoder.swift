// SPDX-License-Identifier: MIT

import AQMagicCookies
import CAQOpus
import CoreAudioTypes

/// A decoder of Opus to 32-bit float, by libopus.
///
/// Each packet becomes the frames of its own duration, at most 120 ms, whatever number the format states. Channels of
/// streams in the order of Vorbis are output in that of WAVE files.
@safe final class OpusPacketDecoder: PacketDecoder {
    let inputFormat: AudioStreamBasicDescription
    let outputFormat: AudioStreamBasicDescription
    let maximumFramesPerPacket: Int
    private(set) var damagedPackets = 0
    private var silence = SilenceAllowance()

    // SAFETY: made by the initialiser, freed by deinit, and used by one thread at a time.
    private let handle: OpaquePointer
    private let opus: aq_opus_functions
    private let channels: Int
    private let sampleRate: Int32
    /// The size of a packet in bytes; 0 if packets vary in size.
    private let bytesPerPacket: Int
    /// The number of frames of a packet that does not state its own: that of the packet before it.
    private var usualFrames: Int
    /// The frames of one packet, because the caller's memory may not be aligned for `Float`.
    private var decoded: [Float]

    /// - Parameters:
    ///   - inputFormat: A valid format of Opus.
    ///   - magicCookie: The stream's header. Cookies of other layouts are ignored, as containers do not agree on one.
    init(inputFormat: AudioStreamBasicDescription, magicCookie: [UInt8]) throws(CodecError) {
        guard let rate = Int32(exactly: inputFormat.mSampleRate), Self.sampleRates.contains(rate) else {
            throw CodecError(
                .unsupportedFormat, cannot: "decode", inputFormat,
                "sample rate of \(inputFormat.mSampleRate) Hz, libopus decodes at 8, 12, 16, 24 and 48 kHz")
        }
        channels = Int(clamping: inputFormat.mChannelsPerFrame)
        let header = try Self.header(of: inputFormat, magicCookie: magicCookie)
        var reason: UnsafePointer<CChar>?
        guard let functions = unsafe aq_opus(&reason) else {
            throw CodecError(
                .unsupportedFormat, cannot: "decode", inputFormat, unsafe Self.loadFailure(reason))
        }
        unsafe opus = functions.pointee
        let order = header.mappingFamily == 1 ? OggChannelOrder.sources(channels: channels) : []
        var mapping = header.mapping
        for (channel, target) in order.enumerated() { mapping[target] = header.mapping[channel] }
        var status: CInt = 0
        let decoder = unsafe opus.opus_multistream_decoder_create(
            rate, CInt(channels), CInt(header.streams), CInt(header.coupledStreams), mapping, &status)
        guard let decoder = unsafe decoder else {
            throw CodecError(
                .decoderFailed, cannot: "decode", inputFormat, "libopus has no decoder (status \(status))")
        }
        unsafe handle = decoder
        unsafe _ = opus.set_gain(decoder, Int32(header.gain))
        self.inputFormat = inputFormat
        outputFormat = .float(channels: channels, sampleRate: inputFormat.mSampleRate)
        sampleRate = rate
        maximumFramesPerPacket = Int(rate) * 120 / 1000
        bytesPerPacket = inputFormat.hasConstantPacketSize ? Int(inputFormat.mBytesPerPacket) : 0
        let frames = Int(clamping: inputFormat.mFramesPerPacket)
        usualFrames = 1...maximumFramesPerPacket ~= frames ? frames : Int(rate) / 50
        decoded = Array(repeating: 0, count: maximumFramesPerPacket * channels)
    }

    deinit { unsafe opus.opus_multistream_decoder_destroy(handle) }

    private static let sampleRates: [Int32] = [8000, 12_000, 16_000, 24_000, 48_000]

    private static func header(
        of format: AudioStreamBasicDescription, magicCookie: [UInt8]
    ) throws(CodecError) -> OpusHeader {
        let isGiven = OpusHeader.isHeader(magicCookie)
        let header: OpusHeader
        do throws(MagicCookieError) {
            header =
                isGiven
                ? try OpusHeader(bytes: magicCookie)
                : try OpusHeader(channels: Int(clamping: format.mChannelsPerFrame))
        } catch {
            throw CodecError(
                isGiven ? .invalidCookie : .unsupportedFormat, cannot: "decode", format, error.message)
        }
        guard header.channels == Int(clamping: format.mChannelsPerFrame) else {
            throw CodecError(
                .invalidCookie, cannot: "decode", format,
                "the cookie describes \(header.channels) channels, not \(format.mChannelsPerFrame)")
        }
        return header
    }

    /// The reason why libopus cannot be loaded; nil if it can.
    static var loadFailure: String? {
        var reason: UnsafePointer<CChar>?
        return unsafe aq_opus(&reason) == nil ? unsafe loadFailure(reason) : nil
    }

    private static func loadFailure(_ reason: UnsafePointer<CChar>?) -> String {
        unsafe "libopus cannot be loaded: " + (reason.map { unsafe String(cString: $0) } ?? "")
    }

    func decode(
        _ packet: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CodecError) -> Int {
        // An empty buffer counts as one damaged packet. If all packets have one size, no silence replaces it.
        let packets = bytesPerPacket > 0 ? packet.count / bytesPerPacket : 1
        let frameBytes = Int(outputFormat.mBytesPerFrame)
        guard output.count / (maximumFramesPerPacket * frameBytes) >= packets else {
            throw CodecError(
                .outputTooSmall, cannot: "decode", inputFormat,
                "\(packets * maximumFramesPerPacket) frames do not fit \(output.count) bytes")
        }
        if bytesPerPacket > 0, packets == 0 || packet.count % bytesPerPacket > 0 { damagedPackets += 1 }
        let packetBytes = bytesPerPacket > 0 ? bytesPerPacket : packet.count
        var frames = 0
        for index in 0..<packets {
            let start = index * packetBytes
            let count = try unsafe decodeOne(
                UnsafeRawBufferPointer(rebasing: packet[start..<start + packetBytes]))
            unsafe decoded.withUnsafeBytes { decoded in
                unsafe UnsafeMutableRawBufferPointer(rebasing: output[(frames * frameBytes)...])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: decoded[..<(count * frameBytes)]))
            }
            frames += count
        }
        return frames
    }

    /// Decodes a packet to the beginning of `decoded`, and returns the number of frames.
    private func decodeOne(_ packet: UnsafeRawBufferPointer) throws(CodecError) -> Int {
        var result: CInt = -1
        if let bytes = unsafe packet.bindMemory(to: UInt8.self).baseAddress, packet.count > 0 {
            let size = Int32(clamping: packet.count)
            let stated = unsafe opus.opus_packet_get_nb_samples(bytes, size, sampleRate)
            if 1...maximumFramesPerPacket ~= Int(stated) { usualFrames = Int(stated) }
            result = unsafe opus.opus_multistream_decode_float(
                handle, bytes, size, &decoded, CInt(maximumFramesPerPacket), 0)
        }
        if result > 0 {
            silence.add(decodedFrames: Int(result))
            return Int(result)
        }
        damagedPackets += 1
        guard silence.take(silentFrames: usualFrames, packetBytes: packet.count) else {
            throw SilenceAllowance.failure(of: inputFormat, damagedPackets: damagedPackets)
        }
        for index in 0..<usualFrames * channels { decoded[index] = 0 }
        return usualFrames
    }

    func reset() { unsafe _ = opus.reset(handle) }
}
