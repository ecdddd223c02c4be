// SPDX-License-Identifier: MIT

import AVFAudio
import AQDevices
import CoreMedia
import CoreAudioTypes
import Foundation

/// The format of an output's buffers: interleaved linear PCM.
enum CaptureFormat {
    /// Makes the format that a client requests.
    ///
    /// - Parameters:
    ///   - settings: The client's settings; nil for 32-bit floats.
    ///   - device: The device, whose rate and channels replace missing ones.
    /// - Throws: An error of the code -11800 for settings that do not describe linear PCM.
    static func description(
        _ settings: [String: Any]?, of device: DeviceInfo
    ) throws -> AudioStreamBasicDescription {
        guard var settings else { return .float(channels: device.channels, sampleRate: device.sampleRate) }
        // More than two channels would need a layout.
        let channels = min(device.channels, 2)
        settings[AVFormatIDKey] = settings[AVFormatIDKey] ?? kAudioFormatLinearPCM
        settings[AVSampleRateKey] = settings[AVSampleRateKey] ?? device.sampleRate
        settings[AVNumberOfChannelsKey] = settings[AVNumberOfChannelsKey] ?? channels
        settings[AVLinearPCMIsNonInterleaved] = false
        guard let format = AVAudioFormat(settings: settings) else {
            throw CaptureFailure.error(.unknown, "cannot record: the audio settings describe no format")
        }
        let description = unsafe format.streamDescription.pointee
        guard description.isLinearPCM else {
            throw CaptureFailure.error(.unknown, "cannot record: the audio settings are not linear PCM")
        }
        return description
    }
}
