public import CAudioToolbox
import CoreAudioTypes

/// Tells how many bytes a property's value has, and whether it can be set.
///
/// - Returns: `kExtAudioFileError_InvalidProperty` for one that there is not; what reading it says.
@_cdecl("ExtAudioFileGetPropertyInfo")
public func extAudioFileGetPropertyInfo(
    _ extendedFile: ExtAudioFileRef?, _ property: ExtAudioFilePropertyID,
    _ bytes: UnsafeMutablePointer<UInt32>?, _ isWritable: UnsafeMutablePointer<Bool>?
) -> OSStatus {
    unsafe ExtendedFile.answer(extendedFile) { file in
        // The configuration is set alone: it has the size of a reference.
        let count =
            try property == kExtAudioFileProperty_ConverterConfig
            ? MemoryLayout<UInt>.size : file.answer(to: property).byteCount
        unsafe bytes?.pointee = UInt32(clamping: count)
        unsafe isWritable?.pointee = file.isWritable(property)
    }
}

/// Copies a property's value.
///
/// - Returns: `kExtAudioFileError_InvalidProperty` for one that there is not, or not for this file;
///   `kExtAudioFileError_InvalidPropertySize` if it does not fit; `kExtAudioFileError_MaxPacketSizeUnknown` for the
///   size of packets of an encoder that is not made yet.
@_cdecl("ExtAudioFileGetProperty")
public func extAudioFileGetProperty(
    _ extendedFile: ExtAudioFileRef?, _ property: ExtAudioFilePropertyID,
    _ ioBytes: UnsafeMutablePointer<UInt32>?, _ data: UnsafeMutableRawPointer?
) -> OSStatus {
    guard let ioBytes = unsafe ioBytes, let data = unsafe data else { return kAudio_ParamError }
    return unsafe ExtendedFile.answer(extendedFile) { file in
        let answer = try file.answer(to: property)
        try StatusError.check(
            unsafe answer.deliver(to: data, ioBytes, tooSmall: kExtAudioFileError_InvalidPropertySize))
    }
}

/// Changes a property.
///
/// - Returns: `kExtAudioFileError_InvalidProperty` for one that there is not, or that cannot be set;
///   `kExtAudioFileError_InvalidPropertySize` for a value of another size;
///   `kExtAudioFileError_InvalidOperationOrder` at a time when it cannot be set;
///   `kExtAudioFileError_NonPCMClientFormat`, `kExtAudioFileError_InvalidChannelMap`; what the converter and the file
///   say. Nothing is changed then.
@_cdecl("ExtAudioFileSetProperty")
public func extAudioFileSetProperty(
    _ extendedFile: ExtAudioFileRef?, _ property: ExtAudioFilePropertyID, _ bytes: UInt32,
    _ data: UnsafeRawPointer?
) -> OSStatus {
    unsafe ExtendedFile.answer(extendedFile) { file in
        // COMPAT: no configuration is often said by no value at all.
        let isNothing = unsafe data == nil
        guard !isNothing || property == kExtAudioFileProperty_ConverterConfig else {
            throw StatusError(kAudio_ParamError)
        }
        try unsafe file.set(
            property, to: UnsafeRawBufferPointer(start: data, count: isNothing ? 0 : Int(bytes)))
    }
}
