// SPDX-License-Identifier: MIT

import AQDevices
public import CAQAudioToolbox
import AQSystemSounds

// The published functions for the properties of system sounds. Both properties are a `UInt32` and can be set.

/// Returns the size of a property, and whether it can be set.
///
/// - Returns: `kAudioServicesUnsupportedPropertyError`; `kAudioServicesBadSpecifierSizeError` unless the specifier has
///   the size of a sound's number.
@_cdecl("AudioServicesGetPropertyInfo")
public func audioServicesGetPropertyInfo(
    _ property: AudioServicesPropertyID, _ specifierBytes: UInt32, _ specifier: UnsafeRawPointer?,
    _ outBytes: UnsafeMutablePointer<UInt32>?, _ outIsWritable: UnsafeMutablePointer<Bool>?
) -> OSStatus {
    StatusError.result { () throws(StatusError) in
        _ = try unsafe SoundProperty(property, specifierBytes, specifier)
        unsafe outBytes?.pointee = SoundProperty.byteCount
        unsafe outIsWritable?.pointee = true
    }
}

/// Copies the value of a property.
///
/// - Parameters:
///   - ioBytes: The size of the memory in bytes; on return that of the value.
///   - data: Receives the value; NULL if only the size is needed.
/// - Returns: `kAudioServicesUnsupportedPropertyError`, `kAudioServicesBadSpecifierSizeError`;
///   `kAudioServicesBadPropertySizeError` for too little memory; `kAudioServicesSystemSoundUnspecifiedError` for a number
///   without a sound, and in a forked child; `kAudio_ParamError` without `ioBytes`.
@_cdecl("AudioServicesGetProperty")
public func audioServicesGetProperty(
    _ property: AudioServicesPropertyID, _ specifierBytes: UInt32, _ specifier: UnsafeRawPointer?,
    _ ioBytes: UnsafeMutablePointer<UInt32>?, _ data: UnsafeMutableRawPointer?
) -> OSStatus {
    StatusError.result { () throws(StatusError) in
        let found = try unsafe SoundProperty(property, specifierBytes, specifier)
        guard let ioBytes = unsafe ioBytes else { throw StatusError(kAudio_ParamError) }
        let value = try found.value()
        if unsafe data == nil {
            unsafe ioBytes.pointee = SoundProperty.byteCount
            return
        }
        let reply = unsafe PropertyReply(data, ioBytes)
        try reply.give(.flag(value), tooSmall: kAudioServicesBadPropertySizeError)
    }
}

/// Sets a property.
///
/// `kAudioServicesPropertyIsUISound`, 1 at first, selects the role of the stream: the user's volume for system sounds
/// applies, or else the program's. `kAudioServicesPropertyCompletePlaybackIfAppDies`, 0 at first, is kept, but has no
/// effect: a sound ends with its process.
///
/// - Returns: As ``audioServicesGetProperty(_:_:_:_:_:)``; `kAudioServicesBadPropertySizeError` for another size;
///   `kAudio_ParamError` for NULL.
@_cdecl("AudioServicesSetProperty")
public func audioServicesSetProperty(
    _ property: AudioServicesPropertyID, _ specifierBytes: UInt32, _ specifier: UnsafeRawPointer?,
    _ bytes: UInt32, _ data: UnsafeRawPointer?
) -> OSStatus {
    StatusError.result { () throws(StatusError) in
        let found = try unsafe SoundProperty(property, specifierBytes, specifier)
        guard bytes == SoundProperty.byteCount else {
            throw StatusError(kAudioServicesBadPropertySizeError)
        }
        guard let data = unsafe data else { throw StatusError(kAudio_ParamError) }
        // SAFETY: the caller guarantees the size, and any alignment is allowed.
        let value = unsafe data.loadUnaligned(as: UInt32.self)
        try found.set(value != 0)
    }
}

/// A property of one sound.
private struct SoundProperty {
    static let byteCount = UInt32(MemoryLayout<UInt32>.size)

    private let path: WritableKeyPath<SystemSounds.Settings, Bool>
    private let number: SystemSoundID

    /// Reads the arguments of a function.
    ///
    /// - Throws: `kAudioServicesUnsupportedPropertyError`, `kAudioServicesBadSpecifierSizeError`.
    init(
        _ property: AudioServicesPropertyID, _ specifierBytes: UInt32, _ specifier: UnsafeRawPointer?
    ) throws(StatusError) {
        switch property {
        case kAudioServicesPropertyIsUISound: path = \.isInterfaceSound
        case kAudioServicesPropertyCompletePlaybackIfAppDies: path = \.completesAfterExit
        default: throw StatusError(kAudioServicesUnsupportedPropertyError)
        }
        guard let specifier = unsafe specifier, specifierBytes == SoundProperty.byteCount else {
            throw StatusError(kAudioServicesBadSpecifierSizeError)
        }
        // SAFETY: the caller guarantees the size, and any alignment is allowed.
        number = unsafe specifier.loadUnaligned(as: SystemSoundID.self)
    }

    func value() throws(StatusError) -> Bool {
        guard !ForkedChild.isCurrent, let settings = SystemSounds.shared.settings(of: number) else {
            throw StatusError(kAudioServicesSystemSoundUnspecifiedError)
        }
        return settings[keyPath: path]
    }

    func set(_ value: Bool) throws(StatusError) {
        guard !ForkedChild.isCurrent, SystemSounds.shared.change(number, { $0[keyPath: path] = value }) else {
            throw StatusError(kAudioServicesSystemSoundUnspecifiedError)
        }
    }
}
