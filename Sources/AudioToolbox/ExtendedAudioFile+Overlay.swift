// SPDX-License-Identifier: MIT

// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CAQAudioToolbox

// The functions of ExtendedAudioFile.h that take a URL or return a Boolean.

/// Opens a file for reading, by Foundation's `NSURL`, which is the type of `url as CFURL` here.
///
/// - Returns: The result of the C function.
@discardableResult
public func ExtAudioFileOpenURL(
    _ inURL: CFURL, _ outExtAudioFile: UnsafeMutablePointer<ExtAudioFileRef?>
) -> OSStatus {
    unsafe CAQAudioToolbox.ExtAudioFileOpenURL(inURL.coreFoundation, outExtAudioFile)
}

/// Creates a file for audio of a format, by Foundation's `NSURL`, which is the type of `url as CFURL` here.
///
/// - Returns: The result of the C function.
@discardableResult
public func ExtAudioFileCreateWithURL(
    _ inURL: CFURL, _ inFileType: AudioFileTypeID, _ inStreamDesc: UnsafePointer<AudioStreamBasicDescription>,
    _ inChannelLayout: UnsafePointer<AudioChannelLayout>?, _ inFlags: UInt32,
    _ outExtAudioFile: UnsafeMutablePointer<ExtAudioFileRef?>
) -> OSStatus {
    unsafe CAQAudioToolbox.ExtAudioFileCreateWithURL(
        inURL.coreFoundation, inFileType, inStreamDesc, inChannelLayout, inFlags, outExtAudioFile)
}

/// Returns the size of a property's value, and whether the property can be set.
///
/// Declared again for ``DarwinBoolean``.
///
/// - Returns: The result of the C function.
@discardableResult
public func ExtAudioFileGetPropertyInfo(
    _ inExtAudioFile: ExtAudioFileRef, _ inPropertyID: ExtAudioFilePropertyID,
    _ outSize: UnsafeMutablePointer<UInt32>?, _ outWritable: UnsafeMutablePointer<DarwinBoolean>?
) -> OSStatus {
    unsafe withBoolean(outWritable) { writable in
        unsafe __ExtAudioFileGetPropertyInfo(inExtAudioFile, inPropertyID, outSize, writable)
    }
}
