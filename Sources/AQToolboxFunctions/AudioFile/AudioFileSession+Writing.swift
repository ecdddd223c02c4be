// SPDX-License-Identifier: MIT

import CAQAudioToolbox
import CoreAudioTypes

extension AudioFileSession {
    /// Appends packets, or overwrites existing packets of one size.
    ///
    /// - Parameters:
    ///   - packet: The number of the first packet: at most the number of packets written.
    ///   - buffer: The packets.
    ///   - byteCount: The size of packets that differ in size, in bytes. COMPAT: ignored for packets of one
    ///     size, because clients pass wrong numbers.
    ///   - ioPackets: The number of packets; on return the number written.
    /// - Throws: The result of `AudioFileWritePackets`.
    func writePackets(
        at packet: Int64, _ buffer: UnsafeRawPointer?, byteCount: UInt32,
        descriptions: UnsafePointer<AudioStreamPacketDescription>?, ioPackets: UnsafeMutablePointer<UInt32>?
    ) throws(StatusError) {
        guard let ioPackets = unsafe ioPackets else { throw StatusError(kAudio_ParamError) }
        let wanted = unsafe Int(ioPackets.pointee)
        unsafe ioPackets.pointee = 0
        let output = try writableOutput()
        let isConstant = output.format.hasConstantPacketSize
        guard packet == output.packets || isConstant && 0..<output.packets ~= packet else {
            throw StatusError(kAudioFileInvalidPacketOffsetError)
        }
        guard wanted > 0 else { return }
        guard let buffer = unsafe buffer else { throw StatusError(kAudio_ParamError) }
        if isConstant {
            let packetBytes = Int(output.format.mBytesPerPacket)
            let result = unsafe Self.put(
                UnsafeRawBufferPointer(start: buffer, count: wanted * packetBytes),
                at: packet * Int64(packetBytes), into: output)
            unsafe ioPackets.pointee = UInt32(clamping: result.bytes / packetBytes)
            if let fault = result.fault { throw fault }
        } else {
            guard let descriptions = unsafe descriptions else { throw StatusError(kAudio_ParamError) }
            let described = unsafe UnsafeBufferPointer(start: descriptions, count: wanted)
            let bytes = unsafe UnsafeRawBufferPointer(start: buffer, count: Int(byteCount))
            guard unsafe Self.lie(described, within: bytes.count) else {
                throw StatusError(kAudioFileInvalidPacketOffsetError)
            }
            let result = unsafe output.append(bytes, descriptions: described, packets: wanted)
            unsafe ioPackets.pointee = UInt32(clamping: result.packets)
            if let fault = result.fault { throw fault }
        }
    }

    /// Appends bytes of packets of one size, or overwrites existing bytes.
    ///
    /// - Returns: The number of bytes written; the error if some were not written.
    /// - Throws: `kAudioFileOperationNotSupportedError` for any other write, `kAudioFilePositionError` for an
    ///   offset before the first byte.
    func writeBytes(
        at position: Int64, bytes: UnsafeRawBufferPointer
    ) throws(StatusError) -> (bytes: Int, fault: StatusError?) {
        let output = try writableOutput()
        guard position >= 0 else { throw StatusError(kAudioFilePositionError) }
        guard bytes.count > 0 else { return (0, nil) }
        guard output.format.hasConstantPacketSize, position <= output.bytes else {
            throw StatusError(kAudioFileOperationNotSupportedError)
        }
        // Existing data ends with a whole packet, so only new bytes can end with a partial one.
        let newBytes = Int64(bytes.count) - min(Int64(bytes.count), output.bytes - position)
        guard newBytes % Int64(output.format.mBytesPerPacket) == 0 else {
            throw StatusError(kAudioFileOperationNotSupportedError)
        }
        return unsafe Self.put(bytes, at: position, into: output)
    }

    /// Overwrites existing bytes, and appends the rest, which are whole packets of one size.
    ///
    /// - Parameter position: The offset of the first byte: at most the number of existing bytes.
    /// - Returns: The number of bytes written; the error if some were not written.
    private static func put(
        _ bytes: UnsafeRawBufferPointer, at position: Int64, into output: AudioFileOutput
    ) -> (bytes: Int, fault: StatusError?) {
        let known = Int(min(Int64(bytes.count), output.bytes - position))
        if known > 0 {
            do throws(StatusError) {
                try unsafe output.overwrite(UnsafeRawBufferPointer(rebasing: bytes[..<known]), at: position)
            } catch { return (0, error) }
        }
        guard known < bytes.count else { return (known, nil) }
        let packetBytes = Int(output.format.mBytesPerPacket)
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[known...])
        let result = unsafe output.append(rest, descriptions: nil, packets: rest.count / packetBytes)
        return (known + result.packets * packetBytes, result.fault)
    }

    /// Returns whether packets are inside the client's bytes, as described.
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
