// SPDX-License-Identifier: MIT

import CAQAudioToolbox
import CoreFoundation

/// The qualifier of a property: a reference to a string.
enum HardwareQualifier {
    /// The text of the string whose reference is the qualifier; nil if the string cannot be a device's name.
    static func text(_ qualifier: UnsafeRawPointer?, bytes: UInt32) throws(StatusError) -> String? {
        guard let qualifier = unsafe qualifier, Int(bytes) >= MemoryLayout<UInt>.size else {
            throw StatusError(kAudioHardwareBadPropertySizeError)
        }
        // SAFETY: the caller guarantees the size of the qualifier; any alignment is allowed.
        return try unsafe text(at: qualifier)
    }

    /// The text of the string whose reference is stored at an address.
    static func text(at address: UnsafeRawPointer) throws(StatusError) -> String? {
        let bits = unsafe address.loadUnaligned(as: UInt.self)
        guard let reference = unsafe UnsafeRawPointer(bitPattern: bits) else {
            throw StatusError(kAudio_ParamError)
        }
        // SAFETY: by the published interface the caller passes a string here, which is alive during the call.
        let string = unsafe Unmanaged<CFString>.fromOpaque(reference).takeUnretainedValue()
        return HardwareText.read(string)
    }
}

/// An `AudioValueTranslation` with addresses that may be 0, unlike those of the imported struct.
private struct AddressTranslation: BitwiseCopyable {
    var input: UInt
    var inputBytes: UInt32
    var output: UInt
    var outputBytes: UInt32
}

extension Hardware {
    /// Answers `kAudioHardwarePropertyDeviceForUID`, the older property to find a device by its name.
    ///
    /// The data is an `AudioValueTranslation` from a `CFStringRef` to an `AudioObjectID`. The data is not
    /// changed; the answer is written to its output address.
    func translateDeviceUID(_ reply: PropertyReply) throws(StatusError) {
        guard let translation = reply.input(as: AddressTranslation.self),
            Int(translation.inputBytes) >= MemoryLayout<UInt>.size,
            Int(translation.outputBytes) >= MemoryLayout<AudioObjectID>.size
        else { throw StatusError(kAudioHardwareBadPropertySizeError) }
        guard let input = unsafe UnsafeRawPointer(bitPattern: translation.input),
            let output = unsafe UnsafeMutableRawPointer(bitPattern: translation.output)
        else { throw StatusError(kAudio_ParamError) }
        // SAFETY: the caller guarantees the stated sizes, of any alignment.
        let uid = try unsafe HardwareQualifier.text(at: input)
        let device = SystemSubject(snapshot: try snapshot(), qualifier: nil).device(uid)
        let number = device.map { objects.number(of: $0) } ?? kAudioObjectUnknown
        unsafe output.storeBytes(of: number, as: AudioObjectID.self)
    }
}
