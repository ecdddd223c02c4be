// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The production of output, stage by stage.
extension AudioConverter {
    func fillWhole(
        _ output: UnsafeMutableRawBufferPointer,
        _ descriptions: UnsafeMutableBufferPointer<AudioStreamPacketDescription>?, _ maximumPackets: Int,
        _ supply: PacketSource.Request
    ) throws -> Filled {
        // Packets that the encoder has ready come before the failure.
        if encoder == nil, let failure {
            self.failure = nil
            throw failure
        }
        if needsPipeline, !isStarted { try makePipeline() }
        isStarted = true
        guard maximumPackets > 0 else { return Filled(isEnd: isAtEnd) }
        isWaiting = false
        let (frames, overflow) = maximumPackets.multipliedReportingOverflow(
            by: max(Int(outputFormat.mFramesPerPacket), 1))
        try unsafe source.begin(wanting: pipeline.inputFrames(forOutput: overflow ? .max : frames), supply)
        var filled =
            try unsafe encoder.map {
                try unsafe encode(with: $0, output, descriptions, maximumPackets, supply)
            } ?? fillFrames(output, descriptions, maximumPackets, supply)
        if filled.packets == 0, let failure {
            self.failure = nil
            throw failure
        }
        filled.isEnd = isAtEnd
        filled.isWaiting = isWaiting
        return filled
    }

    private func fillFrames(
        _ output: UnsafeMutableRawBufferPointer,
        _ descriptions: UnsafeMutableBufferPointer<AudioStreamPacketDescription>?, _ maximumFrames: Int,
        _ supply: PacketSource.Request
    ) throws -> Filled {
        let bytesPerFrame = Int(targetFormat.mBytesPerFrame)
        let frames = unsafe min(maximumFrames, output.count / bytesPerFrame, descriptions?.count ?? .max)
        guard frames > 0, let start = output.baseAddress else {
            throw conversionError(.outputTooSmall, "no frame fits \(output.count) bytes")
        }
        let made = unsafe produce(frames: frames, into: start, supply)
        if let descriptions = unsafe descriptions {
            for index in 0..<made {
                unsafe descriptions[index] = AudioStreamPacketDescription(
                    mStartOffset: Int64(index * bytesPerFrame), mVariableFramesInPacket: 0,
                    mDataByteSize: UInt32(bytesPerFrame))
            }
        }
        return Filled(packets: made, bytes: made * bytesPerFrame)
    }

    /// Makes frames of ``targetFormat``. Makes fewer than requested if ``isAtEnd`` or ``isWaiting`` is true, or after
    /// a ``failure``.
    ///
    /// SAFETY: the caller has checked that there is room for `frames` frames.
    private func produce(
        frames wanted: Int, into output: UnsafeMutableRawPointer, _ supply: PacketSource.Request
    ) -> Int {
        let bytesPerFrame = Int(targetFormat.mBytesPerFrame)
        var made = 0
        do {
            while made < wanted, !isAtEnd {
                let target = unsafe output + made * bytesPerFrame
                let room = wanted - made
                // Frames that are ready come first, so that input is requested only if required.
                let ready = try unsafe pipeline.convert(frames: 0, from: nil, to: target, room: room)
                if ready.framesGiven > 0 || pipeline.isHoldingFrames {
                    made += ready.framesGiven
                    continue
                }
                switch try unsafe source.frames(wanting: pipeline.inputFrames(forOutput: room), supply) {
                case .some(let start, let count):
                    let step = try unsafe pipeline.convert(
                        frames: count, from: start, to: target, room: room)
                    source.consume(frames: step.framesTaken)
                    made += step.framesGiven
                case .end:
                    let count = try unsafe pipeline.finish(to: target, room: room)
                    if count == 0 { isAtEnd = true }
                    made += count
                case .noDataNow:
                    isWaiting = true
                    return made
                }
            }
        } catch {
            failure = error
        }
        return made
    }

    private func encode(
        with encoder: any PacketEncoder, _ output: UnsafeMutableRawBufferPointer,
        _ descriptions: UnsafeMutableBufferPointer<AudioStreamPacketDescription>?, _ maximumPackets: Int,
        _ supply: PacketSource.Request
    ) throws -> Filled {
        guard unsafe outputFormat.hasConstantPacketSize || descriptions != nil else {
            throw conversionError(
                .missingPacketDescriptions, "packets differ in size, no room to describe them")
        }
        var filled = Filled()
        let maximumPackets = unsafe min(maximumPackets, descriptions?.count ?? .max)
        do {
            while filled.packets < maximumPackets, !isAtEnd {
                // Packets that are ready come first, including those of frames before a wait or a failure.
                if try unsafe takePacket(encoder, output, descriptions, maximumPackets, &filled) { continue }
                if isWaiting || failure != nil { return filled }
                if isEncoderFinished {
                    isAtEnd = true
                } else {
                    try unsafe feed(encoder, packets: maximumPackets - filled.packets, supply)
                }
            }
        } catch {
            // The encoder keeps a packet that does not fit, for the next call.
            if error.code != .outputTooSmall {
                failure = failure ?? error
            } else if filled.packets == 0 {
                throw error
            }
        }
        // The output ends because of its room, not because of missing frames.
        isWaiting = false
        return filled
    }

    /// Takes a packet from the encoder, or several if all packets have one size.
    ///
    /// - Returns: False if none is ready.
    private func takePacket(
        _ encoder: any PacketEncoder, _ output: UnsafeMutableRawBufferPointer,
        _ descriptions: UnsafeMutableBufferPointer<AudioStreamPacketDescription>?, _ maximumPackets: Int,
        _ filled: inout Filled
    ) throws(CodecError) -> Bool {
        let bytesPerPacket = outputFormat.hasConstantPacketSize ? Int(outputFormat.mBytesPerPacket) : 0
        var room = unsafe UnsafeMutableRawBufferPointer(rebasing: output[filled.bytes...])
        if bytesPerPacket > 0 {
            let (limit, overflow) = (maximumPackets - filled.packets)
                .multipliedReportingOverflow(by: bytesPerPacket)
            if !overflow, limit < room.count {
                unsafe room = UnsafeMutableRawBufferPointer(rebasing: room[..<limit])
            }
        }
        guard let packet = try unsafe encoder.nextPacket(into: room) else { return false }
        let count = bytesPerPacket > 0 ? packet.bytes / bytesPerPacket : 1
        if let descriptions = unsafe descriptions {
            let bytes = packet.bytes / max(count, 1)
            for index in 0..<count {
                unsafe descriptions[filled.packets + index] = AudioStreamPacketDescription(
                    mStartOffset: Int64(filled.bytes + index * bytes),
                    mVariableFramesInPacket: outputFormat.mFramesPerPacket > 0 ? 0 : UInt32(packet.frames),
                    mDataByteSize: UInt32(bytes))
            }
        }
        filled.packets += count
        filled.bytes += packet.bytes
        return true
    }

    /// Passes frames for about `packets` packets to the encoder, or the end of the frames.
    private func feed(
        _ encoder: any PacketEncoder, packets: Int, _ supply: PacketSource.Request
    ) throws(CodecError) {
        guard let memory = encoderInput else { return }
        let bytesPerFrame = Int(targetFormat.mBytesPerFrame)
        let capacity = memory.byteCount / bytesPerFrame
        let framesPerPacket = max(Int(outputFormat.mFramesPerPacket), 1)
        let frames = packets > capacity / framesPerPacket ? capacity : packets * framesPerPacket
        isAtEnd = false
        let made = unsafe produce(frames: frames, into: memory.start, supply)
        if made > 0 {
            try unsafe encoder.append(
                UnsafeRawBufferPointer(start: memory.start, count: made * bytesPerFrame))
        }
        if isAtEnd {
            // The end of the frames is not the end of the packets.
            isAtEnd = false
            isEncoderFinished = true
            try encoder.finish()
        }
    }
}
