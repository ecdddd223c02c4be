// SPDX-License-Identifier: MIT

public import CAQAudioToolbox
import CoreAudioTypes

/// Returns the size of a property's value, and whether the property can be set.
///
/// - Returns: `kExtAudioFileError_InvalidProperty` for a property that does not exist; the errors of reading
///   the property.
@_cdecl("ExtAudioFileGetPropertyInfo")
public func extAudioFileGetPropertyInfo(
    _ extendedFile: ExtAudioFileRef?, _ property: ExtAudioFilePropertyID,
    _ bytes: UnsafeMutablePointer<UInt32>?, _ isWritable: UnsafeMutablePointer<Bool>?
) -> OSStatus {
    unsafe ExtendedFile.answer(extendedFile) { file in
        // The configuration can only be set; its size is that of a reference.
        let count =
            try property == kExtAudioFileProperty_ConverterConfig
            ? MemoryLayout<UInt>.size : file.answer(to: property).byteCount
        unsafe bytes?.pointee = UInt32(clamping: count)
        unsafe isWritable?.pointee = file.isWritable(property)
    }
}

/// Copies a property's value.
///
/// - Returns: `kExtAudioFileError_InvalidProperty` for a property that does not exist, or not for this file;
///   `kExtAudioFileError_InvalidPropertySize` if the value does not fit; `kExtAudioFileError_MaxPacketSizeUnknown` for
///   the packet size of an encoder before the encoder is made.
@_cdecl("ExtAudioFileGetProperty")
public func extAudioFileGetProperty(
    _ extendedFile: ExtAudioFileRef?, _ property: ExtAudioFilePropertyID,
    _ ioBytes: UnsafeMutablePointer<UInt32>?, _ data: UnsafeMutableRawPointer?
) -> OSStatus {
    guard let ioBytes = unsafe ioBytes, let data = unsafe data else { return kAudio_ParamError }
    return unsafe ExtendedFile.answer(extendedFile) { file in
        let answer = try file.answer(to: property)
        try unsafe PropertyReply(data, ioBytes)
            .give(answer, tooSmall: kExtAudioFileError_InvalidPropertySize)
    }
}

/// Sets a property.
///
/// - Returns: `kExtAudioFileError_InvalidProperty` for a property that does not exist or cannot be set;
///   `kExtAudioFileError_InvalidPropertySize` for a value of another size;
///   `kExtAudioFileError_InvalidOperationOrder` if the property cannot be set now;
///   `kExtAudioFileError_NonPCMClientFormat`, `kExtAudioFileError_InvalidChannelMap`; `kAudio_ParamError` for a value
///   out of range; `kAudioFileOperationNotSupportedError` for the length of the file; errors of the converter and the
///   file. After an error nothing is changed, except that a client's format may have created a file without a rate.
@_cdecl("ExtAudioFileSetProperty")
public func extAudioFileSetProperty(
    _ extendedFile: ExtAudioFileRef?, _ property: ExtAudioFilePropertyID, _ bytes: UInt32,
    _ data: UnsafeRawPointer?
) -> OSStatus {
    unsafe ExtendedFile.answer(extendedFile) { file in
        // COMPAT: programs often pass a null address instead of a null configuration.
        let isNothing = unsafe data == nil
        guard !isNothing || property == kExtAudioFileProperty_ConverterConfig else {
            throw StatusError(kAudio_ParamError)
        }
        try unsafe file.set(
            property, to: UnsafeRawBufferPointer(start: data, count: isNothing ? 0 : Int(bytes)))
    }
}
