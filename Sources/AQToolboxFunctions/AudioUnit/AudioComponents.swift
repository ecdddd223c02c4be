// SPDX-License-Identifier: MIT

public import CAQAudioToolbox
import CoreFoundation

// The published functions of the registry of audio units. They may be called from any thread.

/// Returns the next matching component.
///
/// - Parameter component: The last component found, after which the search continues; nil for the first.
/// - Returns: The component, which is valid as long as the process; nil if there are no more, for a component that does
///   not exist, and for a null description.
@_cdecl("AudioComponentFindNext")
public func audioComponentFindNext(
    _ component: AudioComponent?, _ description: UnsafePointer<AudioComponentDescription>?
) -> AudioComponent? {
    guard let description = unsafe description?.pointee else { return nil }
    return unsafe AudioComponentRegistry.shared.next(after: component, matching: description)
}

/// Returns the number of matching components; 0 for a null description.
@_cdecl("AudioComponentCount")
public func audioComponentCount(_ description: UnsafePointer<AudioComponentDescription>?) -> UInt32 {
    guard let description = unsafe description?.pointee else { return 0 }
    return UInt32(clamping: AudioComponentRegistry.shared.count(matching: description))
}

/// Copies the name of a component.
///
/// - Parameter outName: Receives a `CFStringRef`, which the caller releases.
/// - Returns: `kAudio_ParamError` for NULL and for a component that does not exist, `kAudio_MemFullError`.
@_cdecl("AudioComponentCopyName")
public func audioComponentCopyName(
    _ component: AudioComponent?, _ outName: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> OSStatus {
    guard let entry = unsafe AudioComponentRegistry.shared[component], let outName = unsafe outName else {
        return kAudio_ParamError
    }
    guard let name = AudioFileObject.string(entry.name) else { return kAudio_MemFullError }
    unsafe outName.pointee = Unmanaged.passRetained(name).toOpaque()
    return noErr
}

/// Returns the description of a component, with a mask of 0.
///
/// - Returns: `kAudio_ParamError` for NULL and for a component that does not exist.
@_cdecl("AudioComponentGetDescription")
public func audioComponentGetDescription(
    _ component: AudioComponent?, _ outDescription: UnsafeMutablePointer<AudioComponentDescription>?
) -> OSStatus {
    guard let entry = unsafe AudioComponentRegistry.shared[component],
        let outDescription = unsafe outDescription
    else { return kAudio_ParamError }
    unsafe outDescription.pointee = entry.description
    return noErr
}

/// Returns the version of a component.
///
/// - Returns: `kAudio_ParamError` for NULL and for a component that does not exist.
@_cdecl("AudioComponentGetVersion")
public func audioComponentGetVersion(
    _ component: AudioComponent?, _ outVersion: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
    guard let entry = unsafe AudioComponentRegistry.shared[component], let outVersion = unsafe outVersion
    else { return kAudio_ParamError }
    unsafe outVersion.pointee = entry.version
    return noErr
}
