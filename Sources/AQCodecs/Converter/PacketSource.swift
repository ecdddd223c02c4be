// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// A source of decoded and trimmed frames, which takes packets from a caller.
@safe final class PacketSource {
    /// A function that requests packets from the caller, at least the number in the argument if possible.
    typealias Request = (_ packetsWanted: Int) throws -> AudioConverter.Supply

    /// Frames of ``frameFormat``, or the reason why there are none.
    @unsafe enum Frames {
        /// Whole frames, in memory that is valid until the next call.
        case some(UnsafeRawPointer, count: Int)
        case noDataNow
        case end
    }

    let packetFormat: AudioStreamBasicDescription
    /// The format of the frames: interleaved linear PCM.
    let frameFormat: AudioStreamBasicDescription
    var trim: FrameTrim? {
        didSet { applyTrim() }
    }
    var damagedPackets: Int { decoder?.damagedPackets ?? 0 }
    /// The number of frames returned since the last reset, after the trim.
    private(set) var framesGiven: Int64 = 0

    private let decoder: (any PacketDecoder)?
    private let bytesPerFrame: Int
    private var supplied: SuppliedPackets
    private let decoded: ScratchMemory?
    private var decodedStart = 0
    private var decodedFrames = 0
    /// The step that interleaves the channels of a buffer list; nil if the input is interleaved.
    private let interleaver: Interleaver?
    private var framesToDrop: Int64 = 0
    /// The number of frames dropped at the beginning since the last reset.
    private var framesDropped: Int64 = 0
    /// The number of frames to return at most; nil for no limit.
    private var framesToGive: Int64?
    private var isEnded = false
    /// Whether the caller has said that it has no packets at present, since the last reset.
    private var isLive = false
    /// Whether it has said so during the current output.
    private var hasNothingNow = false

    /// The frames that wait at most before more are taken: a second. A client whose outputs are always too small would
    /// otherwise fill the memory.
    private var mostWaitingFrames: Double { max(packetFormat.mSampleRate, 1) }
    /// The number of frames in a packet, about that if packets vary.
    private var framesPerPacket: Int {
        packetFormat.mFramesPerPacket > 0 ? Int(packetFormat.mFramesPerPacket) : 1024
    }

    /// The largest number of frames decoded at a time, unless one packet has more.
    private static let blockFrames = 4096

    /// - Parameter decoder: The decoder of the packets; nil for linear PCM, which is not converted.
    init(format: AudioStreamBasicDescription, decoder: (any PacketDecoder)?) throws(CodecError) {
        packetFormat = format
        self.decoder = decoder
        if let decoder {
            let bytes = Int(decoder.outputFormat.mBytesPerFrame)
            frameFormat = decoder.outputFormat
            interleaver = nil
            decoded = ScratchMemory(
                byteCount: max(Self.blockFrames, decoder.maximumFramesPerPacket) * bytes)
        } else {
            frameFormat = format.with(channels: Int(format.mChannelsPerFrame))
            interleaver = format.isContiguous ? nil : try Interleaver(from: format, to: frameFormat)
            decoded = nil
        }
        bytesPerFrame = Int(frameFormat.mBytesPerFrame)
        supplied = SuppliedPackets(format: decoder == nil ? frameFormat : format)
    }

    /// Drops all packets. The next packet begins a stream.
    func reset() {
        supplied.clear()
        decodedFrames = 0
        (framesGiven, framesDropped) = (0, 0)
        isEnded = false
        isLive = false
        hasNothingNow = false
        decoder?.reset()
        applyTrim()
    }

    private func applyTrim() {
        framesToDrop = max((trim?.priming ?? 0) - framesDropped, 0)
        framesToGive = trim?.valid.map { max($0 - framesGiven, 0) }
    }

    /// Takes what a caller has that had nothing at some time, before frames that wait are returned. To be called at the
    /// beginning of each output.
    ///
    /// Such a caller has each piece of its audio once. It would lose the piece if it is not asked because others wait.
    /// Other callers always have packets, and are asked only if the output requires them.
    func begin(wanting frames: Int, _ request: Request) throws {
        hasNothingNow = false
        let waiting = supplied.packets * framesPerPacket + decodedFrames
        guard isLive, !isEnded, framesToGive != 0, Double(waiting) < mostWaitingFrames else { return }
        supplied.keep()
        try unsafe ask(forFrames: max(frames - waiting, 1), request)
    }

    /// Returns frames, and requests packets if none are available.
    ///
    /// - Parameter frames: The requested number; more or fewer may be returned.
    func frames(wanting frames: Int, _ request: Request) throws -> Frames {
        while true {
            if framesToGive == 0 { return unsafe .end }
            let available = decoder == nil ? supplied.packets : decodedFrames
            if available > 0 {
                let dropped = Int(min(framesToDrop, Int64(available)))
                if dropped > 0 {
                    framesToDrop -= Int64(dropped)
                    framesDropped += Int64(dropped)
                    advance(frames: dropped)
                    continue
                }
                guard let start = unsafe start else { return unsafe .end }
                let limited = min(Int64(available), framesToGive ?? .max)
                return unsafe .some(start, count: Int(limited))
            }
            if supplied.packets > 0 {
                try decode()
                continue
            }
            if isEnded { return unsafe .end }
            if !hasNothingNow { try unsafe ask(forFrames: frames, request) }
            if hasNothingNow { return unsafe .noDataNow }
        }
    }

    /// Requests packets, and takes those supplied, the end, or that there are none at present.
    private func ask(forFrames frames: Int, _ request: Request) throws {
        switch try unsafe request(packets(forFrames: frames)) {
        case .packets(let bytes, let descriptions, let count):
            guard count > 0 else {
                isEnded = true
                return
            }
            guard interleaver == nil else {
                throw failure(.invalidInputSize, "one buffer for channels that have one each")
            }
            try unsafe supplied.take(bytes, descriptions: descriptions, packets: count)
        case .buffers(let list, let frames):
            guard frames > 0 else {
                isEnded = true
                return
            }
            guard let interleaver else {
                throw failure(.invalidInputSize, "a list of buffers for packets that have one")
            }
            let bytes = try unsafe interleaver.interleave(list, frames: frames)
            try unsafe supplied.take(bytes, descriptions: nil, packets: frames)
        case .endOfStream: isEnded = true
        case .noDataNow:
            isLive = true
            hasNothingNow = true
        }
    }

    /// Marks the first `frames` of the available frames as used.
    func consume(frames: Int) {
        advance(frames: frames)
        framesGiven += Int64(frames)
        if let left = framesToGive { framesToGive = left - Int64(frames) }
    }

    private func advance(frames: Int) {
        if decoder == nil {
            supplied.drop(packets: frames)
        } else {
            decodedStart += frames
            decodedFrames -= frames
        }
    }

    private var start: UnsafeRawPointer? {
        guard let decoded else { return unsafe supplied.start }
        return unsafe UnsafeRawPointer(decoded.start + decodedStart * bytesPerFrame)
    }

    /// Returns the number of packets with `frames` frames and those still to be dropped, if the format states the
    /// number of frames in a packet.
    private func packets(forFrames frames: Int) -> Int {
        // An untrusted file determines the trim, so the frames to drop are requested in parts.
        let (sum, overflow) = min(framesToDrop, 1 << 16)
            .addingReportingOverflow(min(Int64(frames), framesToGive ?? .max))
        let wanted = overflow ? Int64.max : sum
        let framesPerPacket = Int64(max(packetFormat.mFramesPerPacket, 1))
        return Int(clamping: max(1, (wanted - 1) / framesPerPacket + 1))
    }

    /// Decodes as many of the available packets as fit.
    private func decode() throws(CodecError) {
        guard let decoder, let decoded else { return }
        decodedStart = 0
        while supplied.packets > 0 {
            let room = decoded.byteCount / bytesPerFrame - decodedFrames
            let packets = decoder.maximumFramesPerPacket > 0 ? room / decoder.maximumFramesPerPacket : room
            guard packets > 0 else { return }
            let next = unsafe supplied.next(atMost: packets)
            let output = unsafe UnsafeMutableRawBufferPointer(
                start: decoded.start + decodedFrames * bytesPerFrame, count: room * bytesPerFrame)
            do throws(CodecError) {
                decodedFrames += try unsafe decoder.decode(next.bytes, into: output)
            } catch {
                // Frames decoded before are returned first. The packet remains, and fails again.
                if decodedFrames > 0 { return }
                throw error
            }
            supplied.drop(packets: unsafe next.packets)
        }
    }

    private func failure(_ code: CodecError.Code, _ reason: String) -> CodecError {
        CodecError(code, cannot: "convert", packetFormat, reason)
    }
}
