// SPDX-License-Identifier: MIT

public import CAudioToolbox

// The published functions for instances of audio units, which are not implemented: see ``UnsupportedFunction``.

/// Makes an instance.
///
/// - Returns: `kAudio_ParamError` for NULL and for a component that does not exist,
///   `kAudioComponentErr_UnsupportedType`.
@_cdecl("AudioComponentInstanceNew")
public func audioComponentInstanceNew(
    _ component: AudioComponent?, _ outInstance: UnsafeMutablePointer<AudioComponentInstance?>?
) -> OSStatus {
    guard unsafe AudioComponentRegistry.shared[component] != nil, unsafe outInstance != nil else {
        return kAudio_ParamError
    }
    return UnsupportedFunction.audioComponentInstanceNew.status
}

/// Frees an instance.
///
/// - Returns: `kAudio_ParamError` for NULL and for an instance that does not exist.
@_cdecl("AudioComponentInstanceDispose")
public func audioComponentInstanceDispose(_ instance: AudioComponentInstance?) -> OSStatus {
    UnsupportedFunction.audioComponentInstanceDispose.status
}

/// Returns the component of an instance; nil for NULL and for an instance that does not exist.
@_cdecl("AudioComponentInstanceGetComponent")
public func audioComponentInstanceGetComponent(_ instance: AudioComponentInstance?) -> AudioComponent? {
    _ = UnsupportedFunction.audioComponentInstanceGetComponent
    return nil
}

/// Returns whether an instance implements a function; false for an instance that does not exist.
@_cdecl("AudioComponentInstanceCanDo")
public func audioComponentInstanceCanDo(_ instance: AudioComponentInstance?, _ selector: Int16) -> Bool {
    _ = UnsupportedFunction.audioComponentInstanceCanDo
    return false
}

/// Makes an instance, and passes it, or the error, to a block.
@_cdecl("AudioComponentInstantiate")
public func audioComponentInstantiate(
    _ component: AudioComponent?, _ options: AudioComponentInstantiationOptions,
    _ completion: (@convention(block) (AudioComponentInstance?, OSStatus) -> Void)?
) {
    let isComponent = unsafe AudioComponentRegistry.shared[component] != nil
    let status = isComponent ? UnsupportedFunction.audioComponentInstantiate.status : kAudio_ParamError
    completion?(nil, status)
}
