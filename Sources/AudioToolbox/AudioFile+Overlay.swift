// SPDX-License-Identifier: MIT

// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CAQAudioToolbox

// The functions of AudioFile.h that take a URL, declared for Foundation's `NSURL`, which is the type of
// `url as CFURL` here.

/// Opens a file. Its bytes determine the file type; the hint is used only if they are the same for several types.
///
/// - Returns: The result of the C function.
@discardableResult
public func AudioFileOpenURL(
    _ inFileRef: CFURL, _ inPermissions: AudioFilePermissions, _ inFileTypeHint: AudioFileTypeID,
    _ outAudioFile: UnsafeMutablePointer<AudioFileID?>
) -> OSStatus {
    unsafe CAQAudioToolbox.AudioFileOpenURL(
        inFileRef.coreFoundation, inPermissions, inFileTypeHint, outAudioFile)
}

/// Creates a file for audio of a format.
///
/// - Returns: The result of the C function.
@discardableResult
public func AudioFileCreateWithURL(
    _ inFileRef: CFURL, _ inFileType: AudioFileTypeID, _ inFormat: UnsafePointer<AudioStreamBasicDescription>,
    _ inFlags: AudioFileFlags, _ outAudioFile: UnsafeMutablePointer<AudioFileID?>
) -> OSStatus {
    unsafe CAQAudioToolbox.AudioFileCreateWithURL(
        inFileRef.coreFoundation, inFileType, inFormat, inFlags, outAudioFile)
}
