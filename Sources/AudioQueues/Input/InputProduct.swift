import AudioCodecs
import AudioDevices
import CoreAudioTypes

/// What a queue makes of captured sound: the same from its creation to its end, whatever captures.
struct InputProduct {
    /// The format of the buffers, with what the device and the encoder filled in.
    let format: AudioStreamBasicDescription
    /// What makes packets; nil for linear PCM. Belongs to the thread that encodes.
    let maker: PacketMaker?
    /// What that takes; nil for linear PCM.
    private let encoderInput: AudioStreamBasicDescription?
    /// Turns what a device fills buffers with into the format; nil when that is the format already, or is encoded.
    let converter: LinearPCMConverter?
    /// Of what a device fills buffers with; of what an encoder takes.
    let capturedBytesPerFrame: Int
    /// What the packets come with; all 0 and empty for linear PCM.
    let magicCookie: [UInt8]
    let primingFrames: Int
    let framesPerPacket: Int
    let maximumPacketSize: Int

    /// - Parameter format: Resolved, as ``InputFormat`` does.
    /// - Throws: ``QueueError/Code/unsupportedFormat``, ``QueueError/Code/codecNotFound``.
    init(
        format: AudioStreamBasicDescription, channelLabels: [AudioChannelLabel], settings: CodecSettings,
        makeEncoder: InputCore.EncoderMaker
    ) throws(QueueError) {
        if format.isLinearPCM {
            let conversion = try InputConversion(format: format, channelLabels: channelLabels)
            self.format = format
            maker = nil
            encoderInput = nil
            converter = conversion.converter
            capturedBytesPerFrame = conversion.captured.bytesPerFrame
            magicCookie = []
            primingFrames = 0
            framesPerPacket = 1
            maximumPacketSize = Int(format.mBytesPerFrame)
        } else {
            let encoder = try makeEncoder(format, settings)
            self.format = encoder.outputFormat
            maker = PacketMaker(encoder)
            encoderInput = encoder.inputFormat
            converter = nil
            capturedBytesPerFrame = max(1, Int(encoder.inputFormat.mBytesPerFrame))
            magicCookie = encoder.magicCookie
            primingFrames = encoder.primingFrames
            framesPerPacket = max(1, Int(encoder.outputFormat.mFramesPerPacket))
            maximumPacketSize = max(1, encoder.maximumPacketSize)
        }
    }

    /// What a device is asked for when nothing is between it and the queue.
    func captured(channelLabels: [AudioChannelLabel]) throws(QueueError) -> SampleFormat {
        guard let encoderInput else {
            return try InputConversion(format: format, channelLabels: channelLabels).captured
        }
        let labels = encoderLabels(channelLabels)
        guard let captured = SampleFormat(direct: encoderInput, channelLabels: labels) else {
            throw QueueError(
                .codecNotFound,
                "cannot record \(format.summary): its encoder takes \(encoderInput.summary)")
        }
        return captured
    }

    /// What a device is asked for when a tap is between it and the queue.
    func tapped(channelLabels: [AudioChannelLabel]) -> SampleFormat {
        SampleFormat(
            encoding: .float32, sampleRate: format.mSampleRate,
            channelLabels: encoderInput == nil ? channelLabels : encoderLabels(channelLabels))
    }

    /// What an encoder takes may be in another order than the packets.
    private func encoderLabels(_ channelLabels: [AudioChannelLabel]) -> [AudioChannelLabel] {
        guard let taken = DecodedChannelOrder.labels(of: format), taken.count == channelLabels.count else {
            return channelLabels
        }
        return taken
    }

    /// Makes what puts linear PCM that comes from a tap into buffers.
    ///
    /// - Throws: ``QueueError/Code/unsupportedFormat`` for linear PCM that nothing makes.
    func makeTappedMaker() throws(QueueError) -> PacketMaker {
        do throws(CodecError) {
            return try PacketMaker(makePacketEncoder(for: InputConversion.withoutFixedPoint(format)))
        } catch {
            throw QueueError(.unsupportedFormat, error.message)
        }
    }

    /// The memory that a buffer needs besides its own for a device to fill.
    func stagingBytes(ofBytes bytes: Int) -> Int {
        converter == nil ? 0 : max(0, bytes) / Int(format.mBytesPerFrame) * capturedBytesPerFrame
    }

    /// How many packets are put into a buffer: as many as fit, whatever their size; frames in linear PCM.
    func packetCapacity(ofBytes bytes: Int) -> Int { max(0, bytes) / maximumPacketSize }
}
