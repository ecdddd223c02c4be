// SPDX-License-Identifier: MIT

import AQFiles
public import CAQAudioToolbox

/// Parses the next bytes, and calls both procedures for the contents before the return.
///
/// An incomplete packet is kept for the next call. Any number of bytes is allowed.
///
/// - Parameters:
///   - stream: An open stream.
///   - dataBytes: The number of bytes. 0 and null data mark the end: remaining packets are passed to the
///     client.
///   - data: The bytes, which are not kept.
///   - flags: `.discontinuity` if bytes are missing before these. An incomplete packet is dropped. The flag
///     has no meaning before the first packet, and between a seek or a gap and the next packet: many players
///     set it when they receive `kAudioFileStreamProperty_ReadyToProducePackets`, and clear it with the first
///     packet.
/// - Returns: `noErr`; `kAudio_ParamError` for a reference that is not an open stream, and for bytes at null;
///   `kAudioFileStreamError_UnsupportedFileType`, `…_UnsupportedDataFormat`, `…_InvalidFile`,
///   `…_NotOptimized` or `…_DiscontinuityCantRecover`, which each later call returns again;
///   `…_IllegalOperation` from inside one of the stream's procedures.
@_cdecl("AudioFileStreamParseBytes")
public func audioFileStreamParseBytes(
    _ stream: AudioFileStreamID?, _ dataBytes: UInt32, _ data: UnsafeRawPointer?,
    _ flags: AudioFileStreamParseFlags
) -> OSStatus {
    guard let object = unsafe FileStreamObject.all[stream] else { return kAudio_ParamError }
    guard unsafe data != nil || dataBytes == 0 else { return kAudio_ParamError }
    return AudioFileStreamError.status { () throws(AudioFileStreamError) in
        guard let data = unsafe data else { return try object.stream.finish() }
        let bytes = unsafe UnsafeRawBufferPointer(start: data, count: Int(dataBytes))
        try unsafe object.stream.parse(bytes, isDiscontinuous: flags.contains(.discontinuity))
    }
}

/// Returns the offset of a packet, and expects the bytes of the next call to begin there.
///
/// - Parameters:
///   - stream: An open stream.
///   - packetOffset: The packet, counted from the first of the file.
///   - outByteOffset: Receives the offset from the first byte of audio; add
///     `kAudioFileStreamProperty_DataOffset` for the offset in the file.
///   - ioFlags: `.offsetIsEstimated` is set if the offset is only near the packet, otherwise cleared.
/// - Returns: `noErr`; `kAudio_ParamError` for a reference that is not an open stream, and for null;
///   `kAudioFileStreamError_DataUnavailable` before the audio; `…_InvalidPacketOffset` for a packet that does
///   not exist; `…_IllegalOperation` from inside one of the stream's procedures; the error that ended the parsing.
@_cdecl("AudioFileStreamSeek")
public func audioFileStreamSeek(
    _ stream: AudioFileStreamID?, _ packetOffset: Int64, _ outByteOffset: UnsafeMutablePointer<Int64>?,
    _ ioFlags: UnsafeMutablePointer<AudioFileStreamSeekFlags>?
) -> OSStatus {
    guard let object = unsafe FileStreamObject.all[stream], let outByteOffset = unsafe outByteOffset,
        let ioFlags = unsafe ioFlags
    else { return kAudio_ParamError }
    return AudioFileStreamError.status { () throws(AudioFileStreamError) in
        let position = try object.stream.seek(toPacket: packetOffset)
        unsafe outByteOffset.pointee = position.byteOffset
        if position.isEstimated {
            unsafe ioFlags.pointee.insert(.offsetIsEstimated)
        } else {
            unsafe ioFlags.pointee.remove(.offsetIsEstimated)
        }
    }
}
