// SPDX-License-Identifier: MIT

import AQDevices
public import CAQAudioToolbox
import CoreAudioTypes

/// Reads frames in the client's format.
///
/// - Parameters:
///   - ioFrames: The requested number of frames; on return the number read: 0 at the end of the file.
///   - list: Buffers, whose sizes are their capacities, and on return the number of bytes read. The
///     capacities limit the number of frames.
/// - Returns: `kExtAudioFileError_InvalidOperationOrder` for a file that is written,
///   `kExtAudioFileError_NonPCMClientFormat` for an encoded file without a client's format; errors of the
///   file and the decoder.
@_cdecl("ExtAudioFileRead")
public func extAudioFileRead(
    _ extendedFile: ExtAudioFileRef?, _ ioFrames: UnsafeMutablePointer<UInt32>?,
    _ list: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus {
    guard let ioFrames = unsafe ioFrames, let list = unsafe list else { return kAudio_ParamError }
    let wanted = unsafe Int(ioFrames.pointee)
    unsafe ioFrames.pointee = 0
    return unsafe ExtendedFile.answer(extendedFile) { file in
        let frames = try unsafe file.read(frames: wanted, into: UnsafeMutableAudioBufferListPointer(list))
        unsafe ioFrames.pointee = UInt32(clamping: frames)
    }
}

/// Writes frames in the client's format.
///
/// - Returns: `kExtAudioFileError_InvalidOperationOrder` for a file that is read, and after frames were
///   passed to the writing thread; `kExtAudioFileError_NonPCMClientFormat` for an encoded file without a
///   client's format; `kAudio_ParamError` if the buffers are too small for the frames; errors of the file and
///   the encoder, which every later call returns again.
@_cdecl("ExtAudioFileWrite")
public func extAudioFileWrite(
    _ extendedFile: ExtAudioFileRef?, _ frames: UInt32, _ list: UnsafePointer<AudioBufferList>?
) -> OSStatus {
    guard let list = unsafe list else { return kAudio_ParamError }
    return unsafe ExtendedFile.answer(extendedFile) { file in
        guard file.asyncWriter.withLock({ $0?.hasFrames != true }) else {
            throw StatusError(kExtAudioFileError_InvalidOperationOrder)
        }
        // SAFETY: the buffers are only read.
        try unsafe file.write(
            frames: Int(frames),
            from: UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: list)))
    }
}

/// Passes frames in the client's format to a thread that writes them.
///
/// The first call makes the thread and its memory. To prepare a thread that must not wait, call once with 0 frames and
/// no buffers: later calls only copy frames. Until frames were passed to the thread, `ExtAudioFileWrite` may be used,
/// too.
///
/// - Returns: The failure of frames that were passed before, once; `kExtAudioFileError_AsyncWriteTooLarge` for more
///   frames than the ring can hold; `kExtAudioFileError_AsyncWriteBufferOverflow` for more frames than fit now;
///   `kExtAudioFileError_InvalidOperationOrder` for a file that is read, and after `ExtAudioFileWrite`, unless the
///   thread was made before; `kAudio_ParamError` if the buffers are too small; `kAudio_MemFullError` if there is no
///   thread, and the errors of preparing the file. After an error none of the passed frames is written.
@_cdecl("ExtAudioFileWriteAsync")
public func extAudioFileWriteAsync(
    _ extendedFile: ExtAudioFileRef?, _ frames: UInt32, _ list: UnsafePointer<AudioBufferList>?
) -> OSStatus {
    // REAL-TIME: from the second call on, except for locks that are held for a few instructions.
    guard let file = unsafe ExtendedFile.handles[extendedFile], unsafe frames == 0 || list != nil else {
        return kAudio_ParamError
    }
    var writer = file.asyncWriter.withLock { $0 }
    if writer == nil {
        let status = file.answer { file in try file.startAsyncWriter() }
        guard status == noErr else { return status }
        writer = file.asyncWriter.withLock { $0 }
    }
    guard let writer, frames > 0, let list = unsafe list else { return noErr }
    // SAFETY: the buffers are only read.
    return unsafe writer.add(
        frames: Int(frames),
        from: UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: list)))
}

/// Sets the position to a frame, counted at the file's rate from the first valid frame. The next read begins
/// exactly there.
///
/// - Returns: `kExtAudioFileError_InvalidSeek` for a file that is written, and outside of the valid frames.
@_cdecl("ExtAudioFileSeek")
public func extAudioFileSeek(_ extendedFile: ExtAudioFileRef?, _ frame: Int64) -> OSStatus {
    unsafe ExtendedFile.answer(extendedFile) { file in try file.seek(to: frame) }
}

/// Returns the position of the next frame, counted at the file's rate.
@_cdecl("ExtAudioFileTell")
public func extAudioFileTell(
    _ extendedFile: ExtAudioFileRef?, _ outFrame: UnsafeMutablePointer<Int64>?
) -> OSStatus {
    guard let outFrame = unsafe outFrame else { return kAudio_ParamError }
    return unsafe ExtendedFile.answer(extendedFile) { file in
        let frame = try file.position()
        unsafe outFrame.pointee = frame
    }
}
