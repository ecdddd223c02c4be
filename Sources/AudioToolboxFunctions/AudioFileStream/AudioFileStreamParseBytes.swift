import AudioFiles
public import CAudioToolbox

/// Parses the next bytes, and calls both procedures for what is in them, before it returns.
///
/// A packet that is not there whole is kept for the next call. Any number of bytes will do.
///
/// - Parameters:
///   - stream: An open stream.
///   - dataBytes: How many there are. 0 and null data say that no more will come: what is left is handed out.
///   - data: The bytes, which are not kept.
///   - flags: `.discontinuity` if bytes are missing before these. The packet that was begun is dropped. Of no meaning
///     before the first packet, and after a seek or a gap until the next: many players raise it when they are told of
///     `kAudioFileStreamProperty_ReadyToProducePackets`, and lower it with the first packet.
/// - Returns: `noErr`; `kAudio_ParamError` for what is no open stream, and for bytes that are nowhere;
///   `kAudioFileStreamError_UnsupportedFileType`, `…_UnsupportedDataFormat`, `…_InvalidFile`, `…_NotOptimized` or
///   `…_DiscontinuityCantRecover`, and the same again at each later call; `…_IllegalOperation` from inside one of
///   the stream's procedures.
///
/// The corresponding C function is `AudioFileStreamParseBytes`.
@_cdecl("AudioFileStreamParseBytes")
public func audioFileStreamParseBytes(
    _ stream: AudioFileStreamID?, _ dataBytes: UInt32, _ data: UnsafeRawPointer?,
    _ flags: AudioFileStreamParseFlags
) -> OSStatus {
    guard let object = unsafe FileStreamObject.all[stream] else { return kAudio_ParamError }
    do throws(AudioFileStreamError) {
        guard let data = unsafe data else {
            guard dataBytes == 0 else { return kAudio_ParamError }
            try object.stream.finish()
            return noErr
        }
        let bytes = unsafe UnsafeRawBufferPointer(start: data, count: Int(dataBytes))
        try unsafe object.stream.parse(bytes, isDiscontinuous: flags.contains(.discontinuity))
        return noErr
    } catch {
        return error.status
    }
}

/// Tells where the bytes of a packet begin, and takes those of the next call to begin there.
///
/// - Parameters:
///   - stream: An open stream.
///   - packetOffset: The packet, counted from the first of the file.
///   - outByteOffset: Where the place goes, counted from the first byte of audio:
///     `kAudioFileStreamProperty_DataOffset` is to be added for the place in the file.
///   - ioFlags: `.offsetIsEstimated` is set if the place is only near the packet, and else cleared.
/// - Returns: `noErr`; `kAudio_ParamError` for what is no open stream, and for null;
///   `kAudioFileStreamError_DataUnavailable` before the audio; `…_InvalidPacketOffset` for a packet that is not
///   there; `…_IllegalOperation` from inside one of the stream's procedures.
///
/// The corresponding C function is `AudioFileStreamSeek`.
@_cdecl("AudioFileStreamSeek")
public func audioFileStreamSeek(
    _ stream: AudioFileStreamID?, _ packetOffset: Int64, _ outByteOffset: UnsafeMutablePointer<Int64>?,
    _ ioFlags: UnsafeMutablePointer<AudioFileStreamSeekFlags>?
) -> OSStatus {
    guard let object = unsafe FileStreamObject.all[stream], let outByteOffset = unsafe outByteOffset,
        let ioFlags = unsafe ioFlags
    else { return kAudio_ParamError }
    do throws(AudioFileStreamError) {
        let place = try object.stream.seek(toPacket: packetOffset)
        unsafe outByteOffset.pointee = place.byteOffset
        if place.isEstimated {
            unsafe ioFlags.pointee.insert(.offsetIsEstimated)
        } else {
            unsafe ioFlags.pointee.remove(.offsetIsEstimated)
        }
        return noErr
    } catch {
        return error.status
    }
}
