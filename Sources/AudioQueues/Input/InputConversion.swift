// SPDX-License-Identifier: MIT

import AQCodecs
import AQDevices
import CoreAudioTypes

/// The device's format for a queue of linear PCM, and the conversion to the queue's format.
struct InputConversion {
    /// The format that the device delivers.
    let captured: SampleFormat
    /// The converter to the queue's format; nil if the device delivers that format.
    let converter: LinearPCMConverter?

    /// Selects the encoding that the device delivers: the queue's own, or the smallest that holds every value.
    ///
    /// - Throws: ``QueueError/Code/unsupportedFormat`` for fixed-point samples without a converter.
    init(
        format: AudioStreamBasicDescription, channelLabels: [AudioChannelLabel]
    ) throws(QueueError) {
        if let direct = SampleFormat(direct: format, channelLabels: channelLabels) {
            captured = direct
            converter = nil
            return
        }
        let description = InputConversion.richerFormat(of: format)
        do throws(CodecError) {
            converter = try LinearPCMConverter(
                from: description, to: InputConversion.withoutFixedPoint(format))
        } catch {
            throw QueueError(.unsupportedFormat, "cannot record \(format.summary): \(error.message)")
        }
        guard let captured = SampleFormat(direct: description, channelLabels: channelLabels) else {
            throw QueueError(
                .unsupportedFormat, "cannot record \(format.summary) from \(description.summary)")
        }
        self.captured = captured
    }

    private static func richerFormat(of format: AudioStreamBasicDescription) -> AudioStreamBasicDescription {
        let channels = Int(format.mChannelsPerFrame)
        let rate = format.mSampleRate
        // No device delivers 64-bit floats; those of 32 bits hold the output of 24-bit converters.
        if format.isFloat { return .float(channels: channels, sampleRate: rate) }
        switch withoutFixedPoint(format).mBitsPerChannel {
        case ...8: return .unsignedInteger(bits: 8, channels: channels, sampleRate: rate)
        case ...16: return .signedInteger(bits: 16, channels: channels, sampleRate: rate)
        case ...24: return .signedInteger(bits: 24, channels: channels, sampleRate: rate)
        default: return .signedInteger(bits: 32, channels: channels, sampleRate: rate)
        }
    }

    /// Returns the integers that represent fixed-point samples on a device, whose full scale is 1.
    ///
    /// The bits of the fraction and a sign are in the low bits of the container, with the sign extended above.
    static func withoutFixedPoint(
        _ format: AudioStreamBasicDescription
    ) -> AudioStreamBasicDescription {
        let fraction = UInt32(format.fractionBits)
        guard fraction > 0, format.isSignedInteger, !format.isAlignedHigh,
            fraction + 1 < format.mBitsPerChannel
        else { return format }
        var integers = format
        integers.mBitsPerChannel = fraction + 1
        integers.mFormatFlags &= ~(kAudioFormatFlagIsPacked | kLinearPCMFormatFlagsSampleFractionMask)
        integers.mFormatFlags &= ~kAudioFormatFlagIsAlignedHigh
        return integers
    }
}
