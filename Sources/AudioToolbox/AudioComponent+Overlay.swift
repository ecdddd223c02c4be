// SPDX-License-Identifier: MIT

// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CAQAudioToolbox
import CoreFoundation

/// Copies the name of an entry, as Foundation's string.
///
/// - Parameters:
///   - inComponent: The entry.
///   - outName: Receives a retained string.
/// - Returns: The result of the C function.
@discardableResult
public func AudioComponentCopyName(
    _ inComponent: AudioComponent, _ outName: UnsafeMutablePointer<Unmanaged<CFString>?>
) -> OSStatus {
    var name: Unmanaged<CoreFoundation.CFString>?
    let status = unsafe CAQAudioToolbox.AudioComponentCopyName(inComponent, &name)
    if status == noErr, let name = unsafe name {
        unsafe outName.pointee = Unmanaged<CFString>.fromOpaque(name.toOpaque())
    }
    return status
}
