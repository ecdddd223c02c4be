// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CAudioToolbox

// The functions of AudioFile.h that take a URL, declared for Foundation's, which `url as CFURL` is here.

/// Opens a file; a hint of 0 leaves its type to be found out.
///
/// - Returns: As the function of C.
@discardableResult
public func AudioFileOpenURL(
    _ inFileRef: CFURL, _ inPermissions: AudioFilePermissions, _ inFileTypeHint: AudioFileTypeID,
    _ outAudioFile: UnsafeMutablePointer<AudioFileID?>
) -> OSStatus {
    unsafe CAudioToolbox.AudioFileOpenURL(
        inFileRef.coreFoundation, inPermissions, inFileTypeHint, outAudioFile)
}

/// Creates a file for audio of a format.
///
/// - Returns: As the function of C.
@discardableResult
public func AudioFileCreateWithURL(
    _ inFileRef: CFURL, _ inFileType: AudioFileTypeID, _ inFormat: UnsafePointer<AudioStreamBasicDescription>,
    _ inFlags: AudioFileFlags, _ outAudioFile: UnsafeMutablePointer<AudioFileID?>
) -> OSStatus {
    unsafe CAudioToolbox.AudioFileCreateWithURL(
        inFileRef.coreFoundation, inFileType, inFormat, inFlags, outAudioFile)
}
