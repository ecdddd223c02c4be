import AudioDevices
public import CAudioToolbox
import CoreAudioTypes

/// Reads frames in the client's format.
///
/// - Parameters:
///   - ioFrames: How many are wanted, and then how many there are: 0 at the end of the file.
///   - list: Buffers, whose sizes say how much they hold, and then how much they were filled. No more is read than
///     they hold.
/// - Returns: `kExtAudioFileError_InvalidOperationOrder` for a file that is written,
///   `kExtAudioFileError_NonPCMClientFormat` for an encoded one without a client's format; what the file and the
///   decoder say.
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
/// - Returns: `kExtAudioFileError_InvalidOperationOrder` for a file that is read, and once frames were handed to the
///   writing thread; `kExtAudioFileError_NonPCMClientFormat` for an encoded one without a client's format;
///   `kAudio_ParamError` if the buffers do not hold so many; what the file and the encoder say.
@_cdecl("ExtAudioFileWrite")
public func extAudioFileWrite(
    _ extendedFile: ExtAudioFileRef?, _ frames: UInt32, _ list: UnsafePointer<AudioBufferList>?
) -> OSStatus {
    guard let list = unsafe list else { return kAudio_ParamError }
    return unsafe ExtendedFile.answer(extendedFile) { file in
        guard file.asyncWriter.withLock({ $0?.hasFrames != true }) else {
            throw StatusError(kExtAudioFileError_InvalidOperationOrder)
        }
        // SAFETY: the buffers are read only.
        try unsafe file.write(
            frames: Int(frames),
            from: UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: list)))
    }
}

/// Has a thread write frames in the client's format.
///
/// The first call makes the thread and its memory. One for 0 frames and no buffers does that alone, so that no later
/// one, on a thread that must not wait, has to: those only copy. Until there are frames for the thread, `ExtAudioFileWrite`
/// writes, too.
///
/// - Returns: What failed of earlier frames, once; `kExtAudioFileError_AsyncWriteTooLarge` for more than there ever is
///   room for; `kExtAudioFileError_AsyncWriteBufferOverflow` for more than there is room for now;
///   `kExtAudioFileError_InvalidOperationOrder` after `ExtAudioFileWrite`, unless the thread was made before. Of these frames nothing is written then.
@_cdecl("ExtAudioFileWriteAsync")
public func extAudioFileWriteAsync(
    _ extendedFile: ExtAudioFileRef?, _ frames: UInt32, _ list: UnsafePointer<AudioBufferList>?
) -> OSStatus {
    // REAL-TIME: from the second call on, but for locks that are held for a few instructions.
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
    // SAFETY: the buffers are read only.
    return unsafe writer.add(
        frames: Int(frames),
        from: UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: list)))
}

/// Goes to a frame, counted at the file's rate from the first of sound, to which the next read begins exactly.
///
/// - Returns: `kExtAudioFileError_InvalidSeek` for a file that is written, and outside of the sound.
@_cdecl("ExtAudioFileSeek")
public func extAudioFileSeek(_ extendedFile: ExtAudioFileRef?, _ frame: Int64) -> OSStatus {
    unsafe ExtendedFile.answer(extendedFile) { file in try file.seek(to: frame) }
}

/// Tells which frame is next, counted at the file's rate.
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
