// SPDX-License-Identifier: MIT

import AQCodecs
import AQDevices
import CoreAudioTypes

/// The output of a queue, which is the same for every device.
struct InputProduct {
    /// The format of the buffers, with the fields from the device and the encoder.
    let format: AudioStreamBasicDescription
    /// The maker of packets; nil for linear PCM. Belongs to the thread that encodes.
    let maker: PacketMaker?
    /// The format of the encoder's input; nil for linear PCM.
    private let encoderInput: AudioStreamBasicDescription?
    /// The converter of a device's audio in buffers; nil if none is needed, or audio is encoded.
    let converter: LinearPCMConverter?
    /// The size of a frame in a device's buffer or in the encoder's input, in bytes.
    let capturedBytesPerFrame: Int
    /// The encoder's parameters for a decoder; empty for linear PCM.
    let magicCookie: [UInt8]
    let primingFrames: Int
    let framesPerPacket: Int
    let maximumPacketSize: Int

    /// - Parameter format: The format that ``InputFormat`` has resolved.
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

    /// Returns the format to request from a device if there is no tap.
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

    /// Returns the format to request from a device if there is a tap.
    func tapped(channelLabels: [AudioChannelLabel]) -> SampleFormat {
        SampleFormat(
            encoding: .float32, sampleRate: format.mSampleRate,
            channelLabels: encoderInput == nil ? channelLabels : encoderLabels(channelLabels))
    }

    /// Returns the labels in the encoder's channel order, which may differ from that of the packets.
    private func encoderLabels(_ channelLabels: [AudioChannelLabel]) -> [AudioChannelLabel] {
        guard let taken = DecodedChannelOrder.labels(of: format), taken.count == channelLabels.count else {
            return channelLabels
        }
        return taken
    }

    /// Makes the packet maker that converts a tap's output to linear PCM.
    ///
    /// - Throws: ``QueueError/Code/unsupportedFormat`` if floats cannot be converted to the format.
    func makeTappedMaker() throws(QueueError) -> PacketMaker {
        do throws(CodecError) {
            return try PacketMaker(makePacketEncoder(for: InputConversion.withoutFixedPoint(format)))
        } catch {
            throw QueueError(.unsupportedFormat, error.message)
        }
    }

    /// Returns the number of bytes that a device fills outside a buffer's data; 0 if the device fills the data itself.
    func stagingBytes(ofBytes bytes: Int) -> Int {
        converter == nil ? 0 : max(0, bytes) / Int(format.mBytesPerFrame) * capturedBytesPerFrame
    }

    /// Returns the number of packets that fit in a buffer, whatever their size; for linear PCM, of frames.
    func packetCapacity(ofBytes bytes: Int) -> Int { max(0, bytes) / maximumPacketSize }
}
