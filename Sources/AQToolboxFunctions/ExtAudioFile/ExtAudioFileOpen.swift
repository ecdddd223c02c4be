// SPDX-License-Identifier: MIT

import AQDevices
public import CAQAudioToolbox
import CoreAudioTypes
public import CoreFoundation

/// Opens a file for reading.
///
/// - Parameters:
///   - url: The URL of a file in the file system.
///   - extendedFile: Receives the file, to be released by `ExtAudioFileDispose`; NULL if it cannot be opened.
/// - Returns: As `AudioFileOpenURL`.
@_cdecl("ExtAudioFileOpenURL")
public func extAudioFileOpenURL(
    _ url: CFURL?, _ extendedFile: UnsafeMutablePointer<ExtAudioFileRef?>?
) -> OSStatus {
    unsafe make(extendedFile) { () throws(StatusError) in
        var handle: AudioFileID?
        // 1 is the permission to read, and 0 detects the file type.
        try StatusError.check(unsafe audioFileOpenURL(url, 1, 0, &handle))
        guard let handle = unsafe handle else { throw StatusError(kAudioFileUnspecifiedError) }
        do throws(StatusError) {
            return try ExtendedFile(
                file: unsafe FileAccess(handle: handle), isWriting: false, ownsFile: true)
        } catch {
            unsafe _ = audioFileClose(handle)
            throw error
        }
    }
}

/// Wraps an open file for reading or writing. `ExtAudioFileDispose` does not close the file.
///
/// - Returns: `kAudioFileNotOpenError` for a reference that is not an open file, `kAudio_ParamError` for NULL; for
///   writing `kAudioFilePermissionsError` if the file was opened for reading, `kAudioFileOperationNotSupportedError` if
///   it was not created here.
@_cdecl("ExtAudioFileWrapAudioFileID")
public func extAudioFileWrapAudioFileID(
    _ file: AudioFileID?, _ isForWriting: Bool, _ extendedFile: UnsafeMutablePointer<ExtAudioFileRef?>?
) -> OSStatus {
    unsafe make(extendedFile) { () throws(StatusError) in
        guard let file = unsafe file else { throw StatusError(kAudio_ParamError) }
        return try ExtendedFile(
            file: unsafe FileAccess(handle: file), isWriting: isForWriting, ownsFile: false)
    }
}

/// Creates a file for writing.
///
/// - Parameters:
///   - url: The URL of a file in the file system.
///   - fileType: For example `kAudioFileCAFType`.
///   - format: The format of the file. Fields that an encoder decides may be 0; if the rate is 0, the file is
///     created when the client's format is set, or at the end. Apple Lossless and FLAC without flags keep the bit depth
///     of the client's samples, 24 at most; Apple Lossless also that set on the converter. Files of FLAC and Ogg (with
///     Opus) can be created only here, and the client's frames have the usual order of channels.
///   - layout: The use of each channel; NULL for the usual order.
///   - flags: `kAudioFileFlags_EraseFile` to empty an existing file.
///   - extendedFile: Receives the file, to be completed by `ExtAudioFileDispose`; NULL if it cannot be
///     created.
/// - Returns: As `AudioFileCreateWithURL`; `kAudioConverterErr_FormatNotSupported` if there is no encoder;
///   `kExtAudioFileError_InvalidChannelMap` for an unknown layout, or one of another number of channels;
///   `kExtAudioFileError_InvalidDataFormat` for linear PCM without a rate.
@_cdecl("ExtAudioFileCreateWithURL")
public func extAudioFileCreateWithURL(
    _ url: CFURL?, _ fileType: AudioFileTypeID, _ format: UnsafePointer<AudioStreamBasicDescription>?,
    _ layout: UnsafePointer<AudioChannelLayout>?, _ flags: UInt32,
    _ extendedFile: UnsafeMutablePointer<ExtAudioFileRef?>?
) -> OSStatus {
    unsafe make(extendedFile) { () throws(StatusError) in
        guard let url, let format = unsafe format?.pointee else { throw StatusError(kAudio_ParamError) }
        var creation = ExtendedFile.Creation(
            url: url, fileType: fileType, flags: flags, channelLabels: nil)
        if let layout = unsafe layout {
            let labels: [AudioChannelLabel]
            do throws(ChannelLayoutError) {
                labels = try unsafe PublishedLayout.layout(at: layout).labels
            } catch {
                throw StatusError(kExtAudioFileError_InvalidChannelMap)
            }
            guard labels.count == Int(format.mChannelsPerFrame) else {
                throw StatusError(kExtAudioFileError_InvalidChannelMap)
            }
            creation.channelLabels = labels
        }
        if format.mSampleRate == 0 {
            guard !format.isLinearPCM else { throw StatusError(kExtAudioFileError_InvalidDataFormat) }
            return ExtendedFile(creating: creation, format: format)
        }
        let created = try ExtendedFile.create(creation, format)
        do throws(StatusError) {
            let made = try ExtendedFile(
                file: created.file, isWriting: true, ownsFile: true, encoding: created.encoding,
                isDepthOpen: ExtendedFile.isDepthOpen(in: format))
            made.fileLabels = creation.channelLabels
            return made
        } catch {
            unsafe _ = audioFileClose(created.file.handle)
            throw error
        }
    }
}

/// Writes the remaining frames, and completes and closes the file, unless it was wrapped.
///
/// Waits until the writing thread has written the frames passed to it.
///
/// - Returns: The first failure, also a failure of the writing thread that no call has returned. The file is
///   released in any case.
@_cdecl("ExtAudioFileDispose")
public func extAudioFileDispose(_ extendedFile: ExtAudioFileRef?) -> OSStatus {
    guard let file = unsafe ExtendedFile.handles.remove(extendedFile) else { return kAudio_ParamError }
    // Outside of the file's lock, which the writing thread needs.
    let earlier = file.asyncWriter.withLock { $0 }?.finish() ?? noErr
    let status = file.answer { file in try file.finish() }
    return earlier != noErr ? earlier : status
}

private func make(
    _ extendedFile: UnsafeMutablePointer<ExtAudioFileRef?>?,
    _ body: () throws(StatusError) -> ExtendedFile
) -> OSStatus {
    guard let extendedFile = unsafe extendedFile else { return kAudio_ParamError }
    unsafe extendedFile.pointee = nil
    let file: ExtendedFile
    do throws(StatusError) { file = try body() } catch { return error.status }
    guard let handle = unsafe ExtendedFile.handles.insert(file) else {
        return file.answer { file in
            try file.finish()
            throw StatusError(kAudio_MemFullError)
        }
    }
    unsafe extendedFile.pointee = handle
    return noErr
}
