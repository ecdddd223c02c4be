// SPDX-License-Identifier: MIT

public import CAudioToolbox

// The published functions of audio units, which are not implemented: see ``UnsupportedFunction``. Each returns
// `kAudio_ParamError` for NULL and for a unit that does not exist.

/// Processes frames in place.
@_cdecl("AudioUnitProcess")
public func audioUnitProcess(
    _ unit: AudioUnit?, _ ioActionFlags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ timeStamp: UnsafePointer<AudioTimeStamp>?, _ frameCount: UInt32,
    _ ioData: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus { UnsupportedFunction.audioUnitProcess.status }
