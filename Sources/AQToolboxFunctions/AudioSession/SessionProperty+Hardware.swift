// SPDX-License-Identifier: MIT

import AQDevices
import AQSessions
import CAQAudioToolbox

extension SessionProperty {
    /// The properties of the default devices. The server is queried for each.
    static let hardware: [AudioSessionPropertyID: SessionProperty] = [
        kAudioSessionProperty_CurrentHardwareSampleRate: fact { (client) throws(StatusError) -> Float64 in
            let category = client.session.settings.category
            guard let rate = try client.devices().sampleRate(for: category) else {
                throw StatusError(kAudioServicesNoHardwareError)
            }
            return rate
        },
        kAudioSessionProperty_CurrentHardwareIOBufferDuration: fact {
            (client) throws(StatusError) -> Float32 in
            // Known without a server too: only the limits depend on the rate.
            let settings = client.session.settings
            let devices = (try? client.devices()) ?? SessionDevices()
            let rate = devices.sampleRate(for: settings.category) ?? 0
            return Float32(settings.ioBufferSeconds(sampleRate: rate))
        },
        kAudioSessionProperty_CurrentHardwareInputNumberChannels: fact(hasListeners: true) {
            (client) throws(StatusError) -> UInt32 in
            UInt32(clamping: try client.devices().input?.channels ?? 0)
        },
        kAudioSessionProperty_CurrentHardwareOutputNumberChannels: fact(hasListeners: true) {
            (client) throws(StatusError) -> UInt32 in
            UInt32(clamping: try client.devices().output?.channels ?? 0)
        },
        kAudioSessionProperty_CurrentHardwareOutputVolume: fact(hasListeners: true) {
            (client) throws(StatusError) -> Float32 in
            let devices = try client.devices()
            guard devices.output != nil else { throw StatusError(kAudioServicesNoHardwareError) }
            return Float32(devices.outputVolume ?? 1)
        },
        kAudioSessionProperty_CurrentHardwareInputLatency: fact { (client) throws(StatusError) -> Float32 in
            latency(of: try client.devices().input)
        },
        kAudioSessionProperty_CurrentHardwareOutputLatency: fact { (client) throws(StatusError) -> Float32 in
            latency(of: try client.devices().output)
        },
        kAudioSessionProperty_AudioInputAvailable: fact(hasListeners: true) {
            (client) throws(StatusError) -> UInt32 in
            try client.devices().input == nil ? 0 : 1
        },
        // The server mixes the audio of all programs, so no program has to be silent for another one.
        kAudioSessionProperty_OtherAudioIsPlaying: fact { (_) throws(StatusError) -> UInt32 in 0 },
        kAudioSessionProperty_ServerDied: SessionProperty(
            byteCount: MemoryLayout<UInt32>.size, hasListeners: true),
        kAudioSessionProperty_InterruptionType: fact { (client) throws(StatusError) -> UInt32 in
            guard let type = client.interruptionType else {
                throw StatusError(kAudioSessionUnsupportedPropertyError)
            }
            return type
        },
    ]

    /// The latency between the server and the speaker or microphone, in seconds; 0 if the server does not know it.
    private static func latency(of device: DeviceInfo?) -> Float32 {
        guard let device, device.sampleRate > 0, let frames = device.facts?.latencyFrames else { return 0 }
        return Float32(Double(frames) / device.sampleRate)
    }
}
