// SPDX-License-Identifier: MIT

public import CAQAudioToolbox
import CoreFoundation

// The published functions for properties of the system, devices and streams from before the hardware API had
// objects.

/// Does nothing: a process that neither plays nor records uses no device.
@_cdecl("AudioHardwareUnload")
public func audioHardwareUnload() -> OSStatus { noErr }

/// Returns the size of a value of the system, and whether the property can be set.
@_cdecl("AudioHardwareGetPropertyInfo")
public func audioHardwareGetPropertyInfo(
    _ property: AudioHardwarePropertyID, _ outBytes: UnsafeMutablePointer<UInt32>?,
    _ outIsWritable: UnsafeMutablePointer<Bool>?
) -> OSStatus {
    unsafe propertyInfo(kAudioObjectSystemObject, ofSystem(property), outBytes, outIsWritable)
}

/// Copies the value of a property of the system.
@_cdecl("AudioHardwareGetProperty")
public func audioHardwareGetProperty(
    _ property: AudioHardwarePropertyID, _ ioBytes: UnsafeMutablePointer<UInt32>?,
    _ data: UnsafeMutableRawPointer?
) -> OSStatus {
    unsafe getProperty(kAudioObjectSystemObject, ofSystem(property), ioBytes, data)
}

/// Sets a property of the system.
@_cdecl("AudioHardwareSetProperty")
public func audioHardwareSetProperty(
    _ property: AudioHardwarePropertyID, _ bytes: UInt32, _ data: UnsafeRawPointer?
) -> OSStatus {
    unsafe setProperty(kAudioObjectSystemObject, ofSystem(property), bytes, data)
}

/// Returns the size of a value of a device, and whether the property can be set.
@_cdecl("AudioDeviceGetPropertyInfo")
public func audioDeviceGetPropertyInfo(
    _ device: AudioDeviceID, _ channel: UInt32, _ isInput: Bool, _ property: AudioDevicePropertyID,
    _ outBytes: UnsafeMutablePointer<UInt32>?, _ outIsWritable: UnsafeMutablePointer<Bool>?
) -> OSStatus {
    unsafe propertyInfo(device, ofDevice(property, channel, isInput), outBytes, outIsWritable)
}

/// Copies the value of a property of a device.
@_cdecl("AudioDeviceGetProperty")
public func audioDeviceGetProperty(
    _ device: AudioDeviceID, _ channel: UInt32, _ isInput: Bool, _ property: AudioDevicePropertyID,
    _ ioBytes: UnsafeMutablePointer<UInt32>?, _ data: UnsafeMutableRawPointer?
) -> OSStatus {
    unsafe getProperty(device, ofDevice(property, channel, isInput), ioBytes, data)
}

/// Sets a property of a device at once, whatever the value of `when`.
@_cdecl("AudioDeviceSetProperty")
public func audioDeviceSetProperty(
    _ device: AudioDeviceID, _ when: UnsafePointer<AudioTimeStamp>?, _ channel: UInt32, _ isInput: Bool,
    _ property: AudioDevicePropertyID, _ bytes: UInt32, _ data: UnsafeRawPointer?
) -> OSStatus {
    unsafe setProperty(device, ofDevice(property, channel, isInput), bytes, data)
}

/// Returns the size of a value of a stream, and whether the property can be set.
@_cdecl("AudioStreamGetPropertyInfo")
public func audioStreamGetPropertyInfo(
    _ stream: AudioStreamID, _ channel: UInt32, _ property: AudioDevicePropertyID,
    _ outBytes: UnsafeMutablePointer<UInt32>?, _ outIsWritable: UnsafeMutablePointer<Bool>?
) -> OSStatus {
    unsafe propertyInfo(stream, ofStream(property, channel), outBytes, outIsWritable)
}

/// Copies the value of a property of a stream.
@_cdecl("AudioStreamGetProperty")
public func audioStreamGetProperty(
    _ stream: AudioStreamID, _ channel: UInt32, _ property: AudioDevicePropertyID,
    _ ioBytes: UnsafeMutablePointer<UInt32>?, _ data: UnsafeMutableRawPointer?
) -> OSStatus {
    unsafe getProperty(stream, ofStream(property, channel), ioBytes, data)
}

/// Sets a property of a stream at once, whatever the value of `when`: its formats, to the current ones.
@_cdecl("AudioStreamSetProperty")
public func audioStreamSetProperty(
    _ stream: AudioStreamID, _ when: UnsafePointer<AudioTimeStamp>?, _ channel: UInt32,
    _ property: AudioDevicePropertyID, _ bytes: UInt32, _ data: UnsafeRawPointer?
) -> OSStatus {
    unsafe setProperty(stream, ofStream(property, channel), bytes, data)
}

// MARK: As properties of objects

func ofSystem(_ property: AudioHardwarePropertyID) -> AudioObjectPropertyAddress {
    AudioObjectPropertyAddress(
        mSelector: property, mScope: kAudioObjectPropertyScopeGlobal,
        mElement: kAudioObjectPropertyElementMain)
}

func ofDevice(
    _ property: AudioDevicePropertyID, _ channel: UInt32, _ isInput: Bool
) -> AudioObjectPropertyAddress {
    AudioObjectPropertyAddress(
        mSelector: property,
        mScope: isInput ? kAudioObjectPropertyScopeInput : kAudioObjectPropertyScopeOutput,
        mElement: channel)
}

func ofStream(_ property: AudioDevicePropertyID, _ channel: UInt32) -> AudioObjectPropertyAddress {
    AudioObjectPropertyAddress(
        mSelector: property, mScope: kAudioObjectPropertyScopeGlobal, mElement: channel)
}

private func propertyInfo(
    _ object: AudioObjectID, _ address: AudioObjectPropertyAddress, _ outBytes: UnsafeMutablePointer<UInt32>?,
    _ outIsWritable: UnsafeMutablePointer<Bool>?
) -> OSStatus {
    StatusError.result { () throws(StatusError) in
        let text = TextProperty(address)
        var asked = text?.address ?? address
        var isSettable = false
        try StatusError.check(unsafe audioObjectIsPropertySettable(object, &asked, &isSettable))
        if let outBytes = unsafe outBytes {
            if let text {
                unsafe outBytes.pointee = UInt32(clamping: try text.read(object).count)
            } else {
                try StatusError.check(unsafe audioObjectGetPropertyDataSize(object, &asked, 0, nil, outBytes))
            }
        }
        if let outIsWritable = unsafe outIsWritable { unsafe outIsWritable.pointee = isSettable }
    }
}

private func getProperty(
    _ object: AudioObjectID, _ address: AudioObjectPropertyAddress, _ ioBytes: UnsafeMutablePointer<UInt32>?,
    _ data: UnsafeMutableRawPointer?
) -> OSStatus {
    var address = address
    guard let property = TextProperty(address) else {
        return unsafe audioObjectGetPropertyData(object, &address, 0, nil, ioBytes, data)
    }
    guard let ioBytes = unsafe ioBytes, let data = unsafe data else { return kAudio_ParamError }
    return StatusError.result { () throws(StatusError) in
        let text = try property.read(object)
        let room = Int(unsafe ioBytes.pointee)
        guard room > 0 else { throw StatusError(kAudioHardwareBadPropertySizeError) }
        // COMPAT: programs pass a buffer of any size, and expect a terminating zero in it.
        let answer = PropertyAnswer.bytes(TextProperty.truncated(text, toBytes: room))
        try unsafe PropertyReply(data, ioBytes).give(answer, tooSmall: kAudioHardwareBadPropertySizeError)
    }
}

private func setProperty(
    _ object: AudioObjectID, _ address: AudioObjectPropertyAddress, _ bytes: UInt32, _ data: UnsafeRawPointer?
) -> OSStatus {
    var address = TextProperty(address)?.address ?? address
    return unsafe audioObjectSetPropertyData(object, &address, 0, nil, bytes, data)
}

/// A property that is a C string in these functions, and a CFString as a property of an object.
struct TextProperty {
    /// The address of the CFString property.
    let address: AudioObjectPropertyAddress

    init?(_ address: AudioObjectPropertyAddress) {
        var address = address
        switch address.mSelector {
        case kAudioDevicePropertyDeviceName: address.mSelector = kAudioObjectPropertyName
        case kAudioDevicePropertyDeviceManufacturer: address.mSelector = kAudioObjectPropertyManufacturer
        default: return nil
        }
        self.address = address
    }

    /// Reads the string as UTF-8 with a terminating zero.
    func read(_ object: AudioObjectID) throws(StatusError) -> [UInt8] {
        let value = try Hardware.shared.value(of: address, of: Hardware.shared.object(numbered: object))
        guard case .text(let string) = value else { throw StatusError(kAudioHardwareUnspecifiedError) }
        return Array(string.utf8) + [0]
    }

    /// Shortens UTF-8 with a terminating zero to at most `room` bytes, at least 1, without a part of a character.
    static func truncated(_ text: [UInt8], toBytes room: Int) -> [UInt8] {
        var end = min(room, text.count) - 1
        while end > 0, UTF8.isContinuation(text[end]) { end -= 1 }
        return text[..<end] + [0]
    }
}
