// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// Tells how many bytes a property's value has, and whether it can be set.
///
/// Declared for ``DarwinBoolean``.
///
/// - Returns: As the function of C.
@discardableResult
public func AudioFileStreamGetPropertyInfo(
    _ inAudioFileStream: AudioFileStreamID, _ inPropertyID: AudioFileStreamPropertyID,
    _ outPropertyDataSize: UnsafeMutablePointer<UInt32>?, _ outWritable: UnsafeMutablePointer<DarwinBoolean>?
) -> OSStatus {
    unsafe withBoolean(outWritable) { writable in
        unsafe __AudioFileStreamGetPropertyInfo(
            inAudioFileStream, inPropertyID, outPropertyDataSize, writable)
    }
}
