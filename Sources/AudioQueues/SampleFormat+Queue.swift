// SPDX-License-Identifier: MIT

import AQCodecs
import AQDevices
import CoreAudioTypes

extension SampleFormat {
    /// Makes the device's sample format for linear PCM that needs no conversion; nil for other formats.
    init?(direct format: AudioStreamBasicDescription, channelLabels: [AudioChannelLabel]) {
        guard format.isLinearPCM, format.isPacked, format.fractionBits == 0,
            format.isInterleaved || format.mChannelsPerFrame == 1
        else { return nil }
        let encoding: Encoding
        switch (format.isFloat, format.isSignedInteger, format.mBitsPerChannel) {
        case (true, _, 32): encoding = .float32
        case (false, false, 8): encoding = .unsigned8
        case (false, true, 16): encoding = .signed16
        case (false, true, 24): encoding = .signed24
        case (false, true, 32): encoding = .signed32
        default: return nil
        }
        self.init(
            encoding: encoding, isBigEndian: format.isBigEndian, sampleRate: format.mSampleRate,
            channelLabels: channelLabels)
    }
}

extension QueueError {
    /// Translates a device's error to a queue's error.
    init(_ error: DeviceError) {
        let code: Code =
            switch error.code {
            case .noServer, .refused: .cannotStart
            case .noSuchDevice: .invalidDevice
            case .connectionLost: .queueInvalidated
            case .unsupportedFormat: .unsupportedFormat
            }
        self.init(code, error.message)
    }
}

extension QueueError {
    /// Translates a codec's error to the error of a queue that needs the codec.
    init(codec error: CodecError) {
        let code: Code =
            switch error.code {
            case .invalidFormat: .unsupportedFormat
            case .invalidCookie: .invalidPropertyValue
            default: .codecNotFound
            }
        self.init(code, error.message)
    }
}
