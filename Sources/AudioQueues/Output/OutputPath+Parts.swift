// SPDX-License-Identifier: MIT

import AQCodecs
import AQDevices
import CoreAudioTypes

extension OutputPath {
    /// The parts between the client's buffers and a stream, and the stream's format.
    struct Parts {
        let deviceFormat: SampleFormat
        /// The stream's format as a description; native-endian if there is a decoder.
        let description: AudioStreamBasicDescription
        var cursor: DecodeCursor?
        var chain: EffectChain?
        var decoded: DecodedAudio?
    }
}

extension OutputPath.Parts {
    init(
        _ plan: OutputPath.Plan, _ fixture: OutputPath.Fixture, magicCookie: [UInt8]
    ) throws(QueueError) {
        let format = fixture.format
        if let direct = SampleFormat(direct: format, channelLabels: plan.channelLabels), !plan.needsChain,
            plan.offline == nil, plan.device.prefers(direct.encoding)
        {
            self.init(deviceFormat: direct, description: format)
            return
        }
        let decoder: any PacketDecoder
        do throws(CodecError) {
            decoder = try fixture.makeDecoder(Self.roomy(format, magicCookie), magicCookie)
        } catch {
            throw QueueError(codec: error)
        }
        // The decoder's output may have another channel order than the packets.
        var labels = plan.channelLabels
        if let order = DecodedChannelOrder.labels(of: format, magicCookie: magicCookie),
            order.count == labels.count
        {
            labels = order
        }
        if plan.needsChain {
            try self.init(throughChain: plan, fixture, decoder, labels)
        } else {
            try self.init(plan, fixture, decoder, labels)
        }
    }

    /// Makes parts that play decoded audio in the decoder's encoding, or in 16 bits if the device does not prefer
    /// that encoding.
    private init(
        _ plan: OutputPath.Plan, _ fixture: OutputPath.Fixture, _ decoder: any PacketDecoder,
        _ labels: [AudioChannelLabel]
    ) throws(QueueError) {
        guard var deviceFormat = SampleFormat(direct: decoder.outputFormat, channelLabels: labels) else {
            throw QueueError(
                .codecNotFound,
                "cannot play what \(fixture.format.summary) decodes to: " + decoder.outputFormat.summary)
        }
        var description = decoder.outputFormat
        if plan.offline == nil, !plan.device.prefers(deviceFormat.encoding) {
            deviceFormat.encoding = .signed16
            description = .signedInteger(
                bits: 16, channels: labels.count, sampleRate: decoder.outputFormat.mSampleRate)
        }
        let cursor: DecodeCursor
        do throws(CodecError) {
            cursor = try DecodeCursor(decoder, givingFormat: description)
        } catch {
            throw QueueError(codec: error)
        }
        self.init(
            deviceFormat: deviceFormat, description: description, cursor: cursor,
            decoded: Self.decodedAudio(
                plan, fixture.format, packetFrames: decoder.maximumFramesPerPacket,
                bytesPerFrame: deviceFormat.bytesPerFrame))
    }

    /// Makes parts that convert decoded audio to 32-bit floating point and pass it through effects.
    private init(
        throughChain plan: OutputPath.Plan, _ fixture: OutputPath.Fixture, _ decoder: any PacketDecoder,
        _ labels: [AudioChannelLabel]
    ) throws(QueueError) {
        let rate = fixture.format.mSampleRate
        let isPanned = plan.isPanned && labels.count == 1
        let cursor: DecodeCursor
        do throws(CodecError) {
            cursor = try DecodeCursor(
                decoder, givingFormat: .float(channels: labels.count, sampleRate: rate))
        } catch {
            throw QueueError(codec: error)
        }
        let outputLabels = isPanned ? [kAudioChannelLabel_Left, kAudioChannelLabel_Right] : labels
        let deviceFormat = SampleFormat(encoding: .float32, sampleRate: rate, channelLabels: outputLabels)
        let chain = EffectChain(
            sampleRate: rate, channels: labels.count, outputChannels: outputLabels.count,
            makeStretcher: plan.isTimePitchEnabled ? fixture.makeStretcher : nil)
        chain.tap = plan.tap
        chain.algorithm = plan.algorithm
        chain.isTimePitchEnabled = plan.isTimePitchEnabled
        self.init(
            deviceFormat: deviceFormat,
            description: .float(channels: outputLabels.count, sampleRate: rate), cursor: cursor, chain: chain,
            // Effects output any number of frames, so there must be room for a chunk.
            decoded: Self.decodedAudio(
                plan, fixture.format, packetFrames: OutputPath.chunkFrames(sampleRate: rate),
                bytesPerFrame: deviceFormat.bytesPerFrame))
    }

    private static func decodedAudio(
        _ plan: OutputPath.Plan, _ format: AudioStreamBasicDescription, packetFrames: Int, bytesPerFrame: Int
    ) -> DecodedAudio {
        let seconds = plan.decodeAheadSeconds.clamped(to: OutputCore.decodeAheadRange)
        return DecodedAudio(
            aheadFrames: max(Int(seconds * format.mSampleRate), 2 * Int(format.mFramesPerPacket)),
            packetFrames: packetFrames, chunkFrames: OutputPath.chunkFrames(sampleRate: format.mSampleRate),
            bytesPerFrame: bytesPerFrame)
    }

    /// Returns a format whose decoder returns the largest bit depth that a later magic cookie may require, because
    /// the device's format is set before.
    private static func roomy(
        _ format: AudioStreamBasicDescription, _ magicCookie: [UInt8]
    ) -> AudioStreamBasicDescription {
        guard magicCookie.isEmpty, format.mFormatID == kAudioFormatAppleLossless, format.mFormatFlags == 0
        else { return format }
        var roomy = format
        roomy.mFormatFlags = kAppleLosslessFormatFlag_32BitSourceData
        return roomy
    }
}
