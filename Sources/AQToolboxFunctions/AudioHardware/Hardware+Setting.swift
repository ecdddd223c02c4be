// SPDX-License-Identifier: MIT

import AQDevices
import CAQAudioToolbox
import CoreAudioTypes

extension Hardware {
    /// Sets a property.
    ///
    /// - Throws: `kAudioHardwareUnknownPropertyError` for a property that no object of the class, or not this device,
    ///   has; `kAudioHardwareUnsupportedOperationError` for one that cannot be set;
    ///   `kAudioHardwareBadPropertySizeError` for a value of another size; the errors of the functions below.
    func set(
        _ address: AudioObjectPropertyAddress, of object: HardwareObject, to data: HardwareData
    ) throws(StatusError) {
        guard try isSettable(address, of: object) else {
            throw StatusError(kAudioHardwareUnsupportedOperationError)
        }
        switch (object, address.mSelector) {
        case (.system, _): try setRunLoop(isNull: data.value(as: UInt64.self) == 0)
        case (.stream, _), (_, kAudioDevicePropertyStreamFormat):
            try setFormat(data.value(), at: address, of: object)
        case (.device(let uid), kAudioDevicePropertyBufferFrameSize):
            try setBufferFrames(Int(data.value(as: UInt32.self)), of: uid)
        case (.device(let uid), kAudioDevicePropertyBufferSize):
            let bytes = Int(try data.value(as: UInt32.self))
            try setBufferFrames(bytes / bytesPerFrame(at: address, of: object), of: uid)
        case (.device, kAudioDevicePropertyNominalSampleRate):
            try setSampleRate(data.value(), at: address, of: object)
        case (.device(let uid), _): try setVolume(at: address, of: uid, to: data)
        }
    }

    /// Sets a device to a sample rate.
    ///
    /// - Throws: `kAudioDeviceUnsupportedFormatError` for a rate other than the current one, to which the server
    ///   converts every stream.
    func setSampleRate(
        _ sampleRate: Float64, at address: AudioObjectPropertyAddress, of object: HardwareObject
    ) throws(StatusError) {
        guard case .real(let present) = try value(of: address, of: object) else {
            throw StatusError(kAudioHardwareUnknownPropertyError)
        }
        // A server's rate is a whole number; a program's rate may have a rounding error.
        guard abs(present - sampleRate) < 0.5 else { throw StatusError(kAudioDeviceUnsupportedFormatError) }
    }

    /// Sets the run loop of the listeners.
    ///
    /// - Parameter isNull: True for calls on a thread of the library, where listeners are always called.
    /// - Throws: `kAudioHardwareUnsupportedOperationError` for a run loop.
    func setRunLoop(isNull: Bool) throws(StatusError) {
        guard isNull else { throw StatusError(kAudioHardwareUnsupportedOperationError) }
    }

    /// Sets a device or a stream to a format.
    ///
    /// - Throws: `kAudioDeviceUnsupportedFormatError` for a format other than the current one.
    private func setFormat(
        _ format: AudioStreamBasicDescription, at address: AudioObjectPropertyAddress,
        of object: HardwareObject
    ) throws(StatusError) {
        guard case .format(let channels, let sampleRate) = try value(of: address, of: object) else {
            throw StatusError(kAudioHardwareUnknownPropertyError)
        }
        let isSame =
            format.isFloat && format.isNativeEndian && format.isInterleaved && format.mBitsPerChannel == 32
            && Int(format.mChannelsPerFrame) == channels && abs(format.mSampleRate - sampleRate) < 0.5
        guard isSame else { throw StatusError(kAudioDeviceUnsupportedFormatError) }
    }

    // MARK: Cycles

    /// Sets the length of a device's cycles for this process, and informs listeners.
    ///
    /// - Throws: `kAudioHardwareBadObjectError` for a device that has disappeared.
    private func setBufferFrames(_ frames: Int, of uid: String) throws(StatusError) {
        guard try snapshot().device(uid) != nil else { throw StatusError(kAudioHardwareBadObjectError) }
        guard use.setBufferFrames(frames, of: uid) else { return }
        report(kAudioDevicePropertyBufferFrameSize, of: .device(uid: uid))
        report(kAudioDevicePropertyBufferSize, of: .device(uid: uid))
    }

    private func bytesPerFrame(
        at address: AudioObjectPropertyAddress, of object: HardwareObject
    ) throws(StatusError) -> Int {
        var address = address
        address.mSelector = kAudioDevicePropertyStreamFormat
        guard case .format(let channels, _) = try value(of: address, of: object) else {
            throw StatusError(kAudioHardwareUnknownPropertyError)
        }
        return max(1, channels * MemoryLayout<Float32>.size)
    }

    // MARK: Volume

    /// Sets the volume or the switch of a device in the server. Listeners are informed when the server reports it.
    ///
    /// - Throws: `kAudioHardwareBadDeviceError` for a device that disappears meanwhile; `kAudio_ParamError` for a
    ///   volume that is not a number.
    private func setVolume(
        at address: AudioObjectPropertyAddress, of uid: String, to data: HardwareData
    ) throws(StatusError) {
        let change = try control(at: address, data)
        // Only a device with this property has the element and the scope.
        _ = try value(of: address, of: .device(uid: uid))
        let device = try snapshot().device(uid)
        guard let direction = address.directions.first(where: { device?.endpoint($0) != nil }) else {
            throw StatusError(kAudioHardwareUnknownPropertyError)
        }
        try control(change, of: uid, direction)
    }

    private func control(
        at address: AudioObjectPropertyAddress, _ data: HardwareData
    ) throws(StatusError) -> DeviceControl {
        if address.mSelector == kAudioDevicePropertyMute {
            return .mute(try data.value(as: UInt32.self) != 0)
        }
        let number = Double(try data.value(as: Float32.self))
        guard !number.isNaN else { throw StatusError(kAudio_ParamError) }
        let volume: Double
        switch address.mSelector {
        case kAudioHardwareServiceDeviceProperty_VirtualMainBalance: return .balance(number)
        case kAudioDevicePropertyVolumeDecibels: volume = VolumeScale.volume(ofDecibels: number)
        default: volume = number
        }
        let element = address.mElement
        guard element != kAudioObjectPropertyElementMain else { return .volume(volume) }
        return .channelVolume(channel: Int(element) - 1, volume)
    }
}
