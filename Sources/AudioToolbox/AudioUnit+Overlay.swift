// SPDX-License-Identifier: MIT

// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CAQAudioToolbox

/// Returns the size of a property's value, and whether the property can be set.
///
/// Declared again for ``DarwinBoolean``.
///
/// - Returns: The result of the C function.
@discardableResult
public func AudioUnitGetPropertyInfo(
    _ inUnit: AudioUnit, _ inID: AudioUnitPropertyID, _ inScope: AudioUnitScope,
    _ inElement: AudioUnitElement, _ outDataSize: UnsafeMutablePointer<UInt32>?,
    _ outWritable: UnsafeMutablePointer<DarwinBoolean>?
) -> OSStatus {
    unsafe withBoolean(outWritable) { writable in
        unsafe __AudioUnitGetPropertyInfo(inUnit, inID, inScope, inElement, outDataSize, writable)
    }
}
