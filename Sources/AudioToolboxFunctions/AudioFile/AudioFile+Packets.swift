import AudioFiles
public import CAudioToolbox
import CoreAudioTypes

/// Reads as many whole packets as are asked for and fit.
///
/// - Parameters:
///   - file: An open file.
///   - usesCache: Ignored: the system caches files.
///   - ioBytes: Bytes that `buffer` has; then of the packets read.
///   - descriptions: Receives where each packet lies in `buffer`; as many as packets are asked for. Not needed, and
///     left alone, for packets of one size.
///   - startingPacket: The first packet to read.
///   - ioPackets: Packets that are wanted; then how many were read.
///   - buffer: Receives the packets; may be NULL if no bytes are wanted.
/// - Returns: `kAudioFileEndOfFileError` if the file ends before as many packets as are wanted and would have fitted,
///   with those that there are; `kAudio_ParamError` also if not one packet fits.
///
/// The corresponding C function is `AudioFileReadPacketData`.
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

/// Reads packets into a buffer that has room for as many of the largest.
///
/// - Parameters:
///   - file: An open file.
///   - usesCache: Ignored: the system caches files.
///   - outBytes: Receives the bytes of the packets read; what it holds before says nothing.
///   - descriptions: As of `AudioFileReadPacketData`.
///   - startingPacket: The first packet to read.
///   - ioPackets: Packets that are wanted; then how many were read.
///   - buffer: Receives the packets. The client vouches for its size: packets × `MaximumPacketSize` or
///     `PacketSizeUpperBound`.
/// - Returns: As `AudioFileReadPacketData`, but for the end of the file: that is no error, and tells itself by
///   fewer packets.
///
/// The corresponding C function is `AudioFileReadPackets`.
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
        // SAFETY: whichever of the two properties the client reckoned by, so many packets have no more bytes.
        let capacity = try session.bytesUpperBound(ofPackets: unsafe Int64(ioPackets.pointee))
        do throws(StatusError) {
            try unsafe session.readPackets(
                from: startingPacket, into: buffer, capacity: capacity, descriptions: descriptions,
                ioPackets: ioPackets, outBytes: outBytes)
        } catch {
            // COMPAT: programs of the time this function is from take any result but noErr for a failure.
            guard error.status == kAudioFileEndOfFileError else { throw error }
        }
    }
}

/// Writes packets behind those written before, or over them if they have one size.
///
/// - Parameters:
///   - file: A file that was created.
///   - usesCache: Ignored: the system caches files.
///   - byteCount: Bytes of the packets; of packets of one size it does not count.
///   - descriptions: Where each packet lies in `buffer`; not needed for packets of one size.
///   - startingPacket: The number of the first packet: how many were written before, or fewer.
///   - ioPackets: How many packets there are; then how many were written.
///   - buffer: The packets.
/// - Returns: `kAudioFilePermissionsError` for a file that was opened for reading,
///   `kAudioFileInvalidPacketOffsetError` for packets that would not follow the last, or that lie outside the bytes;
///   `kAudioFileOperationNotSupportedError` to write over packets of one size in a pipe;
///   `kAudioFileDoesNotAllow64BitDataSizeError` if the kind of file holds no more; `kAudioFileUnspecifiedError` if
///   the system fails; `kAudio_ParamError`.
///
/// The corresponding C function is `AudioFileWritePackets`.
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

/// Writes packets, and what each needs of those before it.
///
/// No kind of file written here stores that. How many packets a decoder has to go through before one needs no place, as it
/// follows from the format; packets that can only be decoded after certain others are refused.
///
/// - Parameters: As of `AudioFileWritePackets`.
/// - Parameter dependencies: For each packet, what it needs.
/// - Returns: As `AudioFileWritePackets`; `kAudioFileInvalidPacketDependencyError` without `dependencies`,
///   `kAudioFileOperationNotSupportedError` for a packet that cannot be decoded by itself.
///
/// The corresponding C function is `AudioFileWritePacketsWithDependencies`.
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
    /// Reads packets as both reading functions do, and tells their counts also when it fails.
    ///
    /// - Parameter capacity: Bytes that `buffer` has.
    /// - Throws: `kAudioFileEndOfFileError` at the end, as ``readPackets(from:count:into:descriptions:)`` else.
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
        // A pipe may give less than there is, and a damaged file too.
        let read = try unsafe readPackets(
            from: packet, count: wanted, into: memory, descriptions: descriptions)
        unsafe ioPackets.pointee = UInt32(clamping: read.packets)
        unsafe outBytes.pointee = UInt32(clamping: read.bytes)
        guard read.packets > 0 else { throw StatusError(kAudioFileEndOfFileError) }
        guard read.packets < wanted, try endsBefore(packet + Int64(read.packets)) else { return }
        throw StatusError(kAudioFileEndOfFileError)
    }

    /// Whether packets ended here, as far as that is known without looking further.
    private func endsBefore(_ packet: Int64) throws(StatusError) -> Bool {
        let file = try reader()
        if file.format.hasConstantPacketSize {
            return file.isSeekable ? try packet >= countPackets() : false
        }
        do throws(AudioFileError) {
            return file.isSeekable ? try file.byteOffset(ofPacket: packet) == nil : false
        } catch { throw StatusError(error) }
    }
}
