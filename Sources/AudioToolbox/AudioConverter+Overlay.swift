// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// Tells how many bytes a property's value has at most, and whether it can be set.
///
/// Declared for ``DarwinBoolean``.
///
/// - Returns: As the function of C.
@discardableResult
public func AudioConverterGetPropertyInfo(
    _ inAudioConverter: AudioConverterRef, _ inPropertyID: AudioConverterPropertyID,
    _ outSize: UnsafeMutablePointer<UInt32>?, _ outWritable: UnsafeMutablePointer<DarwinBoolean>?
) -> OSStatus {
    unsafe withBoolean(outWritable) { writable in
        unsafe __AudioConverterGetPropertyInfo(inAudioConverter, inPropertyID, outSize, writable)
    }
}
