import CAudioToolbox
import CoreAudioTypes

/// Writes packets, and the bytes that they are made of.
extension AudioFileSession {
    /// Appends packets.
    ///
    /// - Parameters:
    ///   - packet: The number of the first: as many as were written.
    ///   - bytes: The packets.
    ///   - ioPackets: How many there are; then how many were written.
    /// - Throws: The result of `AudioFileWritePackets`.
    func writePackets(
        at packet: Int64, bytes: UnsafeRawBufferPointer,
        descriptions: UnsafePointer<AudioStreamPacketDescription>?, ioPackets: UnsafeMutablePointer<UInt32>?
    ) throws(AudioFileFault) {
        guard let ioPackets = unsafe ioPackets else { throw AudioFileFault(kAudio_ParamError) }
        let wanted = unsafe Int(ioPackets.pointee)
        unsafe ioPackets.pointee = 0
        let output = try writableOutput()
        let isConstant = output.format.hasConstantPacketSize
        guard packet == output.packets else {
            // Only packets of one size could be written over; beyond the end there is a gap for either kind.
            throw AudioFileFault(
                isConstant && 0..<output.packets ~= packet
                    ? kAudioFileOperationNotSupportedError : kAudioFileInvalidPacketOffsetError)
        }
        guard wanted > 0 else { return }
        guard unsafe bytes.baseAddress != nil else { throw AudioFileFault(kAudio_ParamError) }
        let result: (packets: Int, fault: AudioFileFault?)
        if isConstant {
            let packetBytes = Int(output.format.mBytesPerPacket)
            // COMPAT: of two counts that contradict each other the smaller holds.
            let count = min(wanted, bytes.count / packetBytes)
            guard count > 0 else { throw AudioFileFault(kAudio_ParamError) }
            result = unsafe output.append(
                UnsafeRawBufferPointer(rebasing: bytes[..<(count * packetBytes)]), descriptions: nil,
                packets: count)
        } else {
            guard let descriptions = unsafe descriptions else { throw AudioFileFault(kAudio_ParamError) }
            let described = unsafe UnsafeBufferPointer(start: descriptions, count: wanted)
            guard unsafe Self.lie(described, within: bytes.count) else {
                throw AudioFileFault(kAudioFileInvalidPacketOffsetError)
            }
            result = unsafe output.append(bytes, descriptions: described, packets: wanted)
        }
        unsafe ioPackets.pointee = UInt32(clamping: result.packets)
        if let fault = result.fault { throw fault }
    }

    /// Appends bytes that are whole packets of one size.
    ///
    /// - Returns: How many were written.
    /// - Throws: `kAudioFileOperationNotSupportedError` for anything else that could be written,
    ///   `kAudioFilePositionError` for a place before the first byte.
    func writeBytes(
        at position: Int64, bytes: UnsafeRawBufferPointer
    ) throws(AudioFileFault) -> Int {
        let output = try writableOutput()
        guard position >= 0 else { throw AudioFileFault(kAudioFilePositionError) }
        guard bytes.count > 0 else { return 0 }
        guard output.format.hasConstantPacketSize, position == output.bytes,
            bytes.count % Int(output.format.mBytesPerPacket) == 0
        else { throw AudioFileFault(kAudioFileOperationNotSupportedError) }
        let packetBytes = Int(output.format.mBytesPerPacket)
        let result = unsafe output.append(bytes, descriptions: nil, packets: bytes.count / packetBytes)
        if let fault = result.fault, result.packets == 0 { throw fault }
        // The client sees by the count that not all was written, and the next call tells why.
        return result.packets * packetBytes
    }

    /// Whether packets are where a client says they are, without a step outside its bytes.
    private static func lie(
        _ descriptions: UnsafeBufferPointer<AudioStreamPacketDescription>, within bytes: Int
    ) -> Bool {
        for index in 0..<descriptions.count {
            let packet = unsafe descriptions[index]
            guard packet.mStartOffset >= 0, packet.mStartOffset <= Int64(bytes),
                Int64(packet.mDataByteSize) <= Int64(bytes) - packet.mStartOffset
            else { return false }
        }
        return true
    }
}
