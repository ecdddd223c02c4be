// SPDX-License-Identifier: MIT

import AQFiles
import CAQAudioToolbox
import CoreAudioTypes

extension AudioFileSession {
    /// Reads as many whole packets as are requested and fit.
    ///
    /// - Parameters:
    ///   - count: The requested number of packets.
    ///   - descriptions: Receives `count` descriptions; not required for packets of one size.
    /// - Throws: `kAudioFileInvalidPacketOffsetError` for a packet before the first, `kAudio_ParamError` if
    ///   descriptions are required and missing, or not a single packet fits; `kAudioFilePositionError` if a
    ///   pipe is past the packet.
    func readPackets(
        from packet: Int64, count: Int, into memory: UnsafeMutableRawBufferPointer,
        descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
    ) throws(StatusError) -> PacketRead {
        let file = try reader()
        let format = file.format
        guard packet >= 0 else { throw StatusError(kAudioFileInvalidPacketOffsetError) }
        guard count > 0 else { return PacketRead(packets: 0, bytes: 0) }
        var room = unsafe memory
        var described = unsafe UnsafeMutableBufferPointer<AudioStreamPacketDescription>(start: nil, count: 0)
        if format.hasConstantPacketSize {
            // Limited to the request, since the engine reads as many packets as fit.
            let (wanted, overflow) = count.multipliedReportingOverflow(by: Int(format.mBytesPerPacket))
            if !overflow, wanted < room.count {
                unsafe room = UnsafeMutableRawBufferPointer(rebasing: memory[..<wanted])
            }
        } else {
            guard let descriptions = unsafe descriptions else { throw StatusError(kAudio_ParamError) }
            unsafe described = UnsafeMutableBufferPointer(start: descriptions, count: count)
        }
        do throws(AudioFileError) {
            return try unsafe file.readPackets(from: packet, into: room, descriptions: described)
        } catch {
            // COMPAT: the end is reported as no packets, in every case.
            if error.code == .endOfFile { return PacketRead(packets: 0, bytes: 0) }
            throw StatusError(error)
        }
    }

    /// Reads bytes of the audio data; fewer only at the end of the data.
    ///
    /// - Throws: `kAudioFilePositionError` for an offset before the first byte,
    ///   `kAudioFileOperationNotSupportedError` for packets of differing size from a pipe.
    func readBytes(
        at position: Int64, into memory: UnsafeMutableRawBufferPointer
    ) throws(StatusError) -> Int {
        guard position >= 0 else { throw StatusError(kAudioFilePositionError) }
        let file = try reader()
        if file.format.hasConstantPacketSize {
            return try unsafe readThroughPackets(
                at: position, packetBytes: Int(file.format.mBytesPerPacket), into: memory)
        }
        guard let storedBytes, let range = file.dataRange else {
            throw StatusError(kAudioFileOperationNotSupportedError)
        }
        guard position < range.upperBound - range.lowerBound else { return 0 }
        let left = range.upperBound - range.lowerBound - position
        let count = Int(min(Int64(memory.count), left))
        return try unsafe storedBytes.read(
            at: range.lowerBound + position, into: UnsafeMutableRawBufferPointer(rebasing: memory[..<count]))
    }

    /// Reads bytes as parts of packets of one size, also if the file stores the packets in another form.
    private func readThroughPackets(
        at position: Int64, packetBytes: Int, into memory: UnsafeMutableRawBufferPointer
    ) throws(StatusError) -> Int {
        var done = 0
        var (packet, skipped) = position.quotientAndRemainder(dividingBy: Int64(packetBytes))
        var single = [UInt8](repeating: 0, count: packetBytes)
        while done < memory.count {
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[done...])
            if skipped == 0, rest.count >= packetBytes {
                let read = try unsafe readPackets(
                    from: packet, count: rest.count / packetBytes, into: rest, descriptions: nil)
                if read.packets == 0 { break }
                done += read.bytes
                packet += Int64(read.packets)
            } else {
                // A partial packet, at the beginning or the end.
                let read = try unsafe single.withUnsafeMutableBufferPointer { part throws(StatusError) in
                    try unsafe readPackets(
                        from: packet, count: 1, into: UnsafeMutableRawBufferPointer(part), descriptions: nil)
                }
                if read.packets == 0 { break }
                let part = single[Int(skipped)...].prefix(rest.count)
                unsafe part.withUnsafeBytes { unsafe rest.copyMemory(from: $0) }
                done += part.count
                packet += 1
                skipped = 0
            }
        }
        return done
    }
}
