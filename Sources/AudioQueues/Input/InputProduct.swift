import AudioCodecs
import AudioDevices
import CoreAudioTypes

/// The output of a queue, which is constant for its life, whatever the device.
struct InputProduct {
    /// The format of the buffers, with the fields that the device and the encoder determined.
    let format: AudioStreamBasicDescription
    /// Makes packets; nil for linear PCM. Belongs to the thread that encodes.
    let maker: PacketMaker?
    /// The encoder's input; nil for linear PCM.
    private let encoderInput: AudioStreamBasicDescription?
    /// Converts a device's audio in buffers to the format; nil if it already has it, or is encoded.
    let converter: LinearPCMConverter?
    /// The frame size of a device that fills buffers, or of the encoder's input.
    let capturedBytesPerFrame: Int
    /// The properties of the packets; all 0 and empty for linear PCM.
    let magicCookie: [UInt8]
    let primingFrames: Int
    let framesPerPacket: Int
    let maximumPacketSize: Int

    /// - Parameter format: Resolved by ``InputFormat``.
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

    /// The format requested from a device without a tap.
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

    /// The format requested from a device with a tap.
    func tapped(channelLabels: [AudioChannelLabel]) -> SampleFormat {
        SampleFormat(
            encoding: .float32, sampleRate: format.mSampleRate,
            channelLabels: encoderInput == nil ? channelLabels : encoderLabels(channelLabels))
    }

    /// An encoder's input may have another channel order than the packets.
    private func encoderLabels(_ channelLabels: [AudioChannelLabel]) -> [AudioChannelLabel] {
        guard let taken = DecodedChannelOrder.labels(of: format), taken.count == channelLabels.count else {
            return channelLabels
        }
        return taken
    }

    /// Makes the packet maker for linear PCM from a tap.
    ///
    /// - Throws: ``QueueError/Code/unsupportedFormat`` for linear PCM without a converter.
    func makeTappedMaker() throws(QueueError) -> PacketMaker {
        do throws(CodecError) {
            return try PacketMaker(makePacketEncoder(for: InputConversion.withoutFixedPoint(format)))
        } catch {
            throw QueueError(.unsupportedFormat, error.message)
        }
    }

    /// The memory beside a buffer's own that a device fills.
    func stagingBytes(ofBytes bytes: Int) -> Int {
        converter == nil ? 0 : max(0, bytes) / Int(format.mBytesPerFrame) * capturedBytesPerFrame
    }

    /// The number of packets for a buffer: as many as fit, whatever their size; frames in linear PCM.
    func packetCapacity(ofBytes bytes: Int) -> Int { max(0, bytes) / maximumPacketSize }
}
