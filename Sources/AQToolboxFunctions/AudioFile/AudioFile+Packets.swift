// SPDX-License-Identifier: MIT

import AQFiles
public import CAQAudioToolbox
import CoreAudioTypes

/// Reads as many whole packets as are requested and fit.
///
/// - Parameters:
///   - file: An open file.
///   - usesCache: Ignored: the system caches files.
///   - ioBytes: The size of `buffer` in bytes; on return that of the packets read.
///   - descriptions: Receives the descriptions of the packets in `buffer`; has room for the requested number.
///     Not required, and not changed, for packets of one size.
///   - startingPacket: The first packet to read.
///   - ioPackets: The requested number of packets; on return the number read.
///   - buffer: Receives the packets; may be NULL if no packets are requested.
/// - Returns: `kAudioFileEndOfFileError` if fewer packets than requested are read and none follows them, with the
///   packets up to the end; `kAudioFileInvalidPacketOffsetError` for a negative number, `kAudioFilePositionError` for a
///   packet that a pipe has passed; `kAudio_ParamError` also without required descriptions, and if not a single packet
///   fits.
@_cdecl("AudioFileReadPacketData")
public func audioFileReadPacketData(
    _ file: AudioFileID?, _ usesCache: Bool, _ ioBytes: UnsafeMutablePointer<UInt32>?,
    _ descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?, _ startingPacket: Int64,
    _ ioPackets: UnsafeMutablePointer<UInt32>?, _ buffer: UnsafeMutableRawPointer?
) -> OSStatus {
    unsafe AudioFileSession.answer(file) { (session) throws(StatusError) in
        guard let ioBytes = unsafe ioBytes, let ioPackets = unsafe ioPackets else {
            throw StatusError(kAudio_ParamError)
        }
        try unsafe session.readPackets(
            from: startingPacket, into: buffer, capacity: Int(ioBytes.pointee), descriptions: descriptions,
            ioPackets: ioPackets, outBytes: ioBytes)
    }
}

/// Reads packets into a buffer that has room for the requested number of the largest packets.
///
/// - Parameters: The same as for `AudioFileReadPacketData`.
/// - Parameters:
///   - outBytes: Receives the size of the packets read in bytes; its previous value is ignored.
///   - buffer: Receives the packets. The client guarantees its size: packets × `MaximumPacketSize` or
///     `PacketSizeUpperBound`.
/// - Returns: As `AudioFileReadPacketData`, except at the end of the file, which is not an error: fewer packets are
///   read.
@_cdecl("AudioFileReadPackets")
public func audioFileReadPackets(
    _ file: AudioFileID?, _ usesCache: Bool, _ outBytes: UnsafeMutablePointer<UInt32>?,
    _ descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?, _ startingPacket: Int64,
    _ ioPackets: UnsafeMutablePointer<UInt32>?, _ buffer: UnsafeMutableRawPointer?
) -> OSStatus {
    unsafe AudioFileSession.answer(file) { (session) throws(StatusError) in
        guard let outBytes = unsafe outBytes, let ioPackets = unsafe ioPackets else {
            throw StatusError(kAudio_ParamError)
        }
        // SAFETY: the client has sized the buffer by one of the two properties, and both allow for this many bytes.
        let capacity = try session.bytesUpperBound(ofPackets: unsafe Int64(ioPackets.pointee))
        do throws(StatusError) {
            try unsafe session.readPackets(
                from: startingPacket, into: buffer, capacity: capacity, descriptions: descriptions,
                ioPackets: ioPackets, outBytes: outBytes)
        } catch {
            // COMPAT: programs from the time of this function treat any result but noErr as a failure.
            guard error.status == kAudioFileEndOfFileError else { throw error }
        }
    }
}

/// Appends packets, or overwrites existing packets of one size.
///
/// - Parameters:
///   - file: A file that was created.
///   - usesCache: Ignored: the system caches files.
///   - byteCount: The size of the packets in bytes; ignored for packets of one size.
///   - descriptions: The descriptions of the packets in `buffer`; not required for packets of one size.
///   - startingPacket: The number of the first packet: at most the number of packets written before.
///   - ioPackets: The number of packets; on return the number written.
///   - buffer: The packets.
/// - Returns: `kAudioFilePermissionsError` for a file that was opened for reading,
///   `kAudioFileInvalidPacketOffsetError` for packets that would leave a gap, that exceed the bytes, or that would
///   overwrite packets that differ in size; `kAudioFileOperationNotSupportedError` for a file that was not created
///   here, and if packets in a pipe, or of a file type that can only be appended to, would be overwritten;
///   `kAudioFileDoesNotAllow64BitDataSizeError` if the file type cannot hold more data;
///   `kAudioFileUnspecifiedError` if the system fails; `kAudio_ParamError`.
@_cdecl("AudioFileWritePackets")
public func audioFileWritePackets(
    _ file: AudioFileID?, _ usesCache: Bool, _ byteCount: UInt32,
    _ descriptions: UnsafePointer<AudioStreamPacketDescription>?, _ startingPacket: Int64,
    _ ioPackets: UnsafeMutablePointer<UInt32>?, _ buffer: UnsafeRawPointer?
) -> OSStatus {
    unsafe AudioFileSession.answer(file) { (session) throws(StatusError) in
        try unsafe session.writePackets(
            at: startingPacket, buffer, byteCount: byteCount, descriptions: descriptions,
            ioPackets: ioPackets)
    }
}

/// Writes packets with their dependencies on earlier packets.
///
/// No file type written here stores dependencies. The number of packets that a decoder needs before a packet follows
/// from the format. Packets that depend on particular packets are refused.
///
/// - Parameters: The same as for `AudioFileWritePackets`.
/// - Parameter dependencies: The dependency of each packet.
/// - Returns: As `AudioFileWritePackets`; `kAudioFileInvalidPacketDependencyError` without `dependencies`,
///   `kAudioFileOperationNotSupportedError` for a packet that cannot be decoded by itself.
@_cdecl("AudioFileWritePacketsWithDependencies")
public func audioFileWritePacketsWithDependencies(
    _ file: AudioFileID?, _ usesCache: Bool, _ byteCount: UInt32,
    _ descriptions: UnsafePointer<AudioStreamPacketDescription>?,
    _ dependencies: UnsafePointer<AudioStreamPacketDependencyDescription>?, _ startingPacket: Int64,
    _ ioPackets: UnsafeMutablePointer<UInt32>?, _ buffer: UnsafeRawPointer?
) -> OSStatus {
    unsafe AudioFileSession.answer(file) { (session) throws(StatusError) in
        guard let ioPackets = unsafe ioPackets else { throw StatusError(kAudio_ParamError) }
        guard let dependencies = unsafe dependencies else {
            throw StatusError(kAudioFileInvalidPacketDependencyError)
        }
        for index in 0..<(unsafe Int(ioPackets.pointee)) {
            guard unsafe dependencies[index].mIsIndependentlyDecodable != 0 else {
                unsafe ioPackets.pointee = 0
                throw StatusError(kAudioFileOperationNotSupportedError)
            }
        }
        try unsafe session.writePackets(
            at: startingPacket, buffer, byteCount: byteCount, descriptions: descriptions,
            ioPackets: ioPackets)
    }
}

extension AudioFileSession {
    /// Reads packets for both reading functions, and sets their counts also after an error.
    ///
    /// - Parameter capacity: The size of `buffer` in bytes.
    /// - Throws: `kAudioFileEndOfFileError` at the end, otherwise as
    ///   ``readPackets(from:count:into:descriptions:)``.
    fileprivate func readPackets(
        from packet: Int64, into buffer: UnsafeMutableRawPointer?, capacity: Int,
        descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?,
        ioPackets: UnsafeMutablePointer<UInt32>, outBytes: UnsafeMutablePointer<UInt32>
    ) throws(StatusError) {
        let wanted = unsafe Int(ioPackets.pointee)
        unsafe ioPackets.pointee = 0
        unsafe outBytes.pointee = 0
        guard wanted > 0 else { return }
        guard let buffer = unsafe buffer else { throw StatusError(kAudio_ParamError) }
        let memory = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: capacity)
        // A pipe or a damaged file may return fewer packets than there are.
        let read = try unsafe readPackets(
            from: packet, count: wanted, into: memory, descriptions: descriptions)
        unsafe ioPackets.pointee = UInt32(clamping: read.packets)
        unsafe outBytes.pointee = UInt32(clamping: read.bytes)
        guard read.packets > 0 else { throw StatusError(kAudioFileEndOfFileError) }
        guard read.packets < wanted, try endsBefore(packet + Int64(read.packets)) else { return }
        throw StatusError(kAudioFileEndOfFileError)
    }

    /// Returns whether the packets end before this one, as far as is known without reading further.
    private func endsBefore(_ packet: Int64) throws(StatusError) -> Bool {
        let file = try reader()
        if file.format.hasConstantPacketSize {
            return file.isSeekable ? try packet >= countPackets() : false
        }
        return try StatusError.translating { () throws(AudioFileError) in
            file.isSeekable ? try file.byteOffset(ofPacket: packet) == nil : false
        }
    }
}
