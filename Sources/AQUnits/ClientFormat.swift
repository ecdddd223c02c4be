// SPDX-License-Identifier: MIT

import AQCodecs
import AQDevices
import CoreAudioTypes

/// The format of a client's side of a unit, and the nearest format that a device takes.
struct ClientFormat: Sendable {
    let format: AudioStreamBasicDescription
    /// The same samples, interleaved, in an encoding of the device.
    let streamFormat: AudioStreamBasicDescription
    let encoding: SampleFormat.Encoding
    /// The converter from the client's samples to the stream's, and the reverse.
    let toStream: LinearPCMConverter
    let fromStream: LinearPCMConverter
    /// The factor of the conversion to the stream's samples, for numbers with bits before the binary point; else 1.
    let scale: Float

    /// - Parameter resamples: Whether the stream's samples are to be resampled, and must be floats.
    /// - Throws: ``UnitError/Code/formatNotSupported`` with the reason.
    init(_ format: AudioStreamBasicDescription, resamples: Bool = false) throws(UnitError) {
        guard format.isLinearPCM, format.validationFailure == nil,
            format.mChannelsPerFrame <= UInt32(SampleFormat.maximumChannels),
            SampleFormat.sampleRateRange ~= format.mSampleRate
        else {
            throw UnitError(
                .formatNotSupported,
                "cannot use \(format.summary): \(format.validationFailure ?? "not supported")")
        }
        self.format = format
        var samples = format
        var scale: Float = 1
        if format.fractionBits > 0 {
            // As integers, the samples have a full scale of a power of two.
            samples.mFormatFlags &= ~kLinearPCMFormatFlagsSampleFractionMask
            for _ in format.fractionBits..<Int(format.mBitsPerChannel) - 1 { scale *= 2 }
        }
        self.scale = scale
        let needsFloat = resamples || format.isFloat || scale != 1
        let encoding: SampleFormat.Encoding =
            needsFloat
            ? .float32
            : format.mBitsPerChannel <= 16 ? .signed16 : format.mBitsPerChannel <= 24 ? .signed24 : .signed32
        self.encoding = encoding
        let channels = Int(format.mChannelsPerFrame)
        streamFormat =
            encoding == .float32
            ? .float(channels: channels, sampleRate: format.mSampleRate)
            : .signedInteger(
                bits: encoding.byteCount * 8, channels: channels, sampleRate: format.mSampleRate)
        do throws(CodecError) {
            toStream = try LinearPCMConverter(from: samples, to: streamFormat)
            fromStream = try LinearPCMConverter(from: streamFormat, to: samples)
        } catch {
            throw UnitError(.formatNotSupported, error.message)
        }
    }

    /// The number of buffers in a list.
    var bufferCount: Int { format.isInterleaved ? 1 : Int(format.mChannelsPerFrame) }
    var channelsPerBuffer: UInt32 { format.isInterleaved ? format.mChannelsPerFrame : 1 }
    /// The size of a frame in each buffer.
    var bytesPerFrame: Int { Int(format.mBytesPerFrame) }
    var streamBytesPerFrame: Int { Int(streamFormat.mBytesPerFrame) }
    /// Whether the client's samples are the stream's.
    var isDirect: Bool {
        bufferCount == 1 && scale == 1 && format.isNativeEndian && format.isPacked
            && format.isFloat == streamFormat.isFloat
            && format.isSignedInteger == streamFormat.isSignedInteger
            && format.mBitsPerChannel == streamFormat.mBitsPerChannel
    }

    /// The device's sample format, with the labels of the channels.
    func sampleFormat(labels: [AudioChannelLabel]) -> SampleFormat {
        SampleFormat(
            encoding: encoding, sampleRate: format.mSampleRate,
            channelLabels: labels.count == Int(format.mChannelsPerFrame)
                ? labels : ChannelLabels.defaults(channels: Int(format.mChannelsPerFrame)))
    }
}
