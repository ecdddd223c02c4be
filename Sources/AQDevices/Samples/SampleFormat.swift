// SPDX-License-Identifier: MIT

public import CoreAudioTypes

/// The format of a client's samples: interleaved linear PCM.
///
/// Samples are copied once between the client's buffer and the device. The copy reverses the bytes of big-endian
/// samples, so that the server gets only native-endian ones.
public struct SampleFormat: Sendable, Equatable {
    public enum Encoding: UInt8, Sendable, CaseIterable {
        case unsigned8, signed16, signed24, signed32, float32

        /// The size of one sample, in bytes.
        public var byteCount: Int {
            switch self {
            case .unsigned8: 1
            case .signed16: 2
            case .signed24: 3
            case .signed32, .float32: 4
            }
        }
    }

    public var encoding: Encoding
    public var isBigEndian: Bool
    /// The sample rate, in hertz.
    public var sampleRate: Double
    /// The label of each channel, in the order of the samples. Their number is the number of channels.
    public var channelLabels: [AudioChannelLabel]

    public var channels: Int { channelLabels.count }
    public var bytesPerFrame: Int { encoding.byteCount * channels }

    public init(
        encoding: Encoding, isBigEndian: Bool = false, sampleRate: Double, channelLabels: [AudioChannelLabel]
    ) {
        self.encoding = encoding
        self.isBigEndian = isBigEndian
        self.sampleRate = sampleRate
        self.channelLabels = channelLabels
    }
}

extension SampleFormat {
    /// PulseAudio's limits, which apply to every device here: 32 channels and 384 kHz.
    public static let maximumChannels = 32
    public static let sampleRateRange = 1.0...384_000.0

    /// Checks the format against the limits of all devices, before a device is opened.
    ///
    /// - Parameter numbers: The device channel for each channel of the format, counted from 1; nil if the client
    ///   selected none.
    /// - Throws: ``DeviceError/Code/unsupportedFormat`` with the reason.
    func validate(channelNumbers numbers: [Int]?) throws(DeviceError) {
        guard (1...SampleFormat.maximumChannels).contains(channels) else {
            throw DeviceError(
                .unsupportedFormat, "\(channels) channels are not supported: 1 to 32 are possible")
        }
        guard SampleFormat.sampleRateRange.contains(sampleRate) else {
            throw DeviceError(
                .unsupportedFormat, "a rate of \(sampleRate) Hz is not supported: 1 to 384000 Hz are possible"
            )
        }
        guard let numbers else { return }
        guard numbers.count == channels else {
            throw DeviceError(
                .unsupportedFormat,
                "\(numbers.count) channels of a device were selected for \(channels) channels")
        }
        for number in numbers where !(1...SampleFormat.maximumChannels).contains(number) {
            throw DeviceError(
                .unsupportedFormat, "cannot use channel \(number) of a device: 1 to 32 are possible")
        }
    }
}
