// SPDX-License-Identifier: MIT

import AQDevices
import CoreAudioTypes

/// The derivation of an input queue's format from the client's request.
enum InputFormat {
    /// The limit for requests of a device's rate and channels, in seconds.
    static let nativeFormatSeconds = 5.0

    /// Returns a valid format, in which the device has determined the fields that the client left open.
    ///
    /// - Throws: ``QueueError/Code/unsupportedFormat``, and the device's errors.
    static func resolve(
        _ requested: AudioStreamBasicDescription, on device: any InputDevice
    ) throws(QueueError) -> AudioStreamBasicDescription {
        let format = try completed(requested, on: device)
        guard format.isLinearPCM else {
            // The encoder checks the other fields, and may determine some.
            guard let failure = format.rateOrChannelsFailure else { return format }
            throw QueueError(.unsupportedFormat, "cannot make a queue for \(format.summary): \(failure)")
        }
        try format.checkForQueue()
        return format
    }

    private static func completed(
        _ requested: AudioStreamBasicDescription, on device: any InputDevice
    ) throws(QueueError) -> AudioStreamBasicDescription {
        guard requested.mSampleRate == 0 || requested.mChannelsPerFrame == 0 else { return requested }
        var format = requested
        do throws(DeviceError) {
            let native = try device.nativeFormat(timeoutSeconds: nativeFormatSeconds)
            if format.mSampleRate == 0 { format.mSampleRate = native.sampleRate }
            if format.mChannelsPerFrame == 0 { format.mChannelsPerFrame = UInt32(clamping: native.channels) }
        } catch {
            throw QueueError(error)
        }
        guard format.isLinearPCM else { return format }
        // If the channel count was open, the size of a frame may be, too.
        if format.mBytesPerFrame == 0 {
            let sampleBytes = (Int(format.mBitsPerChannel) + 7) / 8
            format.mBytesPerFrame = UInt32(
                AudioStreamBasicDescription.bytesPerPacket(
                    channels: Int(format.mChannelsPerFrame), containerBytes: sampleBytes,
                    isInterleaved: format.isInterleaved) ?? 0)
        }
        if format.mBytesPerPacket == 0 { format.mBytesPerPacket = format.mBytesPerFrame }
        return format
    }
}
