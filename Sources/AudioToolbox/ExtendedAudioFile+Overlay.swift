// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CAudioToolbox

// The functions of ExtendedAudioFile.h that take a URL or report a truth value.

/// Opens a file for reading, by Foundation's URL, which `url as CFURL` is here.
///
/// - Returns: As the function of C.
@discardableResult
public func ExtAudioFileOpenURL(
    _ inURL: CFURL, _ outExtAudioFile: UnsafeMutablePointer<ExtAudioFileRef?>
) -> OSStatus {
    unsafe CAudioToolbox.ExtAudioFileOpenURL(inURL.coreFoundation, outExtAudioFile)
}

/// Creates a file for audio of a format, by Foundation's URL, which `url as CFURL` is here.
///
/// - Returns: As the function of C.
@discardableResult
public func ExtAudioFileCreateWithURL(
    _ inURL: CFURL, _ inFileType: AudioFileTypeID, _ inStreamDesc: UnsafePointer<AudioStreamBasicDescription>,
    _ inChannelLayout: UnsafePointer<AudioChannelLayout>?, _ inFlags: UInt32,
    _ outExtAudioFile: UnsafeMutablePointer<ExtAudioFileRef?>
) -> OSStatus {
    unsafe CAudioToolbox.ExtAudioFileCreateWithURL(
        inURL.coreFoundation, inFileType, inStreamDesc, inChannelLayout, inFlags, outExtAudioFile)
}

/// Tells how many bytes a property's value has, and whether it can be set.
///
/// Declared for ``DarwinBoolean``.
///
/// - Returns: As the function of C.
@discardableResult
public func ExtAudioFileGetPropertyInfo(
    _ inExtAudioFile: ExtAudioFileRef, _ inPropertyID: ExtAudioFilePropertyID,
    _ outSize: UnsafeMutablePointer<UInt32>?, _ outWritable: UnsafeMutablePointer<DarwinBoolean>?
) -> OSStatus {
    unsafe withBoolean(outWritable) { writable in
        unsafe __ExtAudioFileGetPropertyInfo(inExtAudioFile, inPropertyID, outSize, writable)
    }
}
