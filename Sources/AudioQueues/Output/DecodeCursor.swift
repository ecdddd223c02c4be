// SPDX-License-Identifier: MIT

import AQCodecs
import CoreAudioTypes

/// A decoder and its position in the current buffer. Belongs to the engine's thread.
@safe final class DecodeCursor {
    private(set) var decoder: any PacketDecoder
    /// The largest number of frames in a packet.
    let packetFrames: Int
    /// The format of the output: the device's, or the input format of the effects.
    let outputFormat: AudioStreamBasicDescription
    /// The converter of the decoder's output to ``outputFormat``; nil if the formats are the same.
    private var converter: LinearPCMConverter?
    /// The decoded frames to convert.
    private var unconverted: [UInt8] = []
    /// The number of the current item; 0 for none.
    private var itemNumber: UInt64 = 0
    private var packetIndex = 0
    private var byteOffset = 0
    private var frameOffset = 0

    /// - Parameter format: The format of the output, whose encoding may differ from that of the decoder's output.
    /// - Throws: ``CodecError/Code/unsupportedFormat`` if the rate or channel count differs from the decoder's.
    init(
        _ decoder: any PacketDecoder, givingFormat format: AudioStreamBasicDescription
    ) throws(CodecError) {
        self.decoder = decoder
        packetFrames = max(1, decoder.maximumFramesPerPacket)
        outputFormat = format
        let given = decoder.outputFormat
        converter = given.isSame(as: format) ? nil : try LinearPCMConverter(from: given, to: format)
    }

    var bytesPerFrame: Int { Int(outputFormat.mBytesPerFrame) }

    /// Drops the current buffer and the decoder's history.
    func restart() {
        itemNumber = 0
        decoder.reset()
    }

    /// A decoder that replaces the current one, and the converter of its frames.
    struct Replacement {
        let decoder: any PacketDecoder
        let converter: LinearPCMConverter?
    }

    /// Prepares the replacement of the decoder, for example by one with a magic cookie.
    ///
    /// - Throws: ``CodecError/Code/invalidCookie`` if the decoder returns frames of another rate or channel count, or
    ///   more frames at a time than fit.
    func replacement(_ decoder: any PacketDecoder) throws(CodecError) -> Replacement {
        let output = decoder.outputFormat
        guard output.mSampleRate == outputFormat.mSampleRate,
            output.mChannelsPerFrame == outputFormat.mChannelsPerFrame,
            decoder.maximumFramesPerPacket <= packetFrames
        else {
            throw CodecError(
                .invalidCookie,
                "cannot use a magic cookie that makes \(output.summary) of a stream of "
                    + "\(outputFormat.summary), or packets of more than \(packetFrames) frames")
        }
        let isSame = output.isSame(as: outputFormat)
        return Replacement(
            decoder: decoder, converter: isSame ? nil : try LinearPCMConverter(from: output, to: outputFormat)
        )
    }

    func replaceDecoder(_ replacement: Replacement) {
        (decoder, converter) = (replacement.decoder, replacement.converter)
        itemNumber = 0
    }

    struct Outcome {
        var frames = 0
        var isItemFinished = false
        var damagedPackets = 0
    }

    /// Decodes as many packets of an item as fit in the output, and keeps their audible frames.
    ///
    /// - Parameter roomFrames: The number of frames that `output` holds, at least those of one packet.
    func decode(
        _ item: OutputItem, into output: UnsafeMutableRawPointer, roomFrames: Int
    ) throws(CodecError) -> Outcome {
        let bytesPerFrame = bytesPerFrame
        if item.number != itemNumber {
            itemNumber = item.number
            packetIndex = 0
            byteOffset = 0
            frameOffset = 0
        }
        var outcome = Outcome()
        let damagedBefore = decoder.damagedPackets
        while !isFinished(item), roomFrames - outcome.frames >= packetFrames {
            let packet = unsafe takePacket(of: item, roomFrames: roomFrames - outcome.frames)
            let out = unsafe UnsafeMutableRawBufferPointer(
                start: output + outcome.frames * bytesPerFrame,
                count: (roomFrames - outcome.frames) * bytesPerFrame)
            let decoded = try unsafe decode(packet, into: out)
            let audible = item.audibleFrames.clamped(to: frameOffset..<(frameOffset + decoded))
            if audible.lowerBound > frameOffset, !audible.isEmpty, let base = out.baseAddress {
                // Audible frames overwrite the trimmed ones before them.
                unsafe base.copyMemory(
                    from: base + (audible.lowerBound - frameOffset) * bytesPerFrame,
                    byteCount: audible.count * bytesPerFrame)
            }
            frameOffset += decoded
            outcome.frames += audible.count
        }
        outcome.damagedPackets = decoder.damagedPackets - damagedBefore
        outcome.isItemFinished = isFinished(item)
        return outcome
    }

    private func decode(
        _ packet: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CodecError) -> Int {
        guard let converter else { return try unsafe decoder.decode(packet, into: output) }
        let bytesPerFrame = Int(converter.inputFormat.mBytesPerFrame)
        let roomBytes = output.count / max(1, Int(outputFormat.mBytesPerFrame)) * bytesPerFrame
        if unconverted.count < roomBytes { unconverted = Array(repeating: 0, count: roomBytes) }
        let decoder = decoder
        return try unsafe unconverted.withUnsafeMutableBufferPointer {
            (room: inout UnsafeMutableBufferPointer<UInt8>) throws(CodecError) -> Int in
            let bytes = UnsafeMutableRawBufferPointer(room)
            let frames = try unsafe decoder.decode(packet, into: bytes)
            return try unsafe converter.convert(
                UnsafeRawBufferPointer(rebasing: bytes[..<(frames * bytesPerFrame)]), into: output)
        }
    }

    private func isFinished(_ item: OutputItem) -> Bool {
        item.descriptions.isEmpty ? byteOffset >= item.byteCount : packetIndex >= item.descriptions.count
    }

    /// Returns the bytes of the next packet; if a packet is one frame, of as many as fit.
    private func takePacket(of item: OutputItem, roomFrames: Int) -> UnsafeRawBufferPointer {
        if item.descriptions.isEmpty {
            let packetBytes = Int(decoder.inputFormat.mBytesPerPacket)
            let packets = decoder.inputFormat.mFramesPerPacket == 1 ? roomFrames / packetFrames : 1
            let bytes = min(item.byteCount - byteOffset, packets * packetBytes)
            defer { byteOffset += bytes }
            return unsafe UnsafeRawBufferPointer(
                start: item.data.map { unsafe $0 + byteOffset }, count: bytes)
        }
        let packet = item.descriptions[packetIndex]
        packetIndex += 1
        return unsafe UnsafeRawBufferPointer(
            start: item.data.map { unsafe $0 + Int(packet.mStartOffset) }, count: Int(packet.mDataByteSize))
    }
}
