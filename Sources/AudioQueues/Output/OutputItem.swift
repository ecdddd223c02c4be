// SPDX-License-Identifier: MIT

import AQDevices
import CoreAudioTypes

/// An item to play: an enqueued buffer, or the mark of a sequence's end.
///
/// All fields are copied when the buffer is enqueued: a client that changes its struct affects only its own audio.
@safe struct OutputItem: NumberedItem, @unchecked Sendable {
    // SAFETY: `data` belongs to the pool's memory, which outlives every item.

    /// A number that increases from item to item.
    let number: UInt64
    /// The client's buffer; nil for an end mark.
    let buffer: QueueBuffer?
    let data: UnsafeRawPointer?
    let byteCount: Int
    /// The packet descriptions; empty if all packets of the format have one size.
    let descriptions: [AudioStreamPacketDescription]
    /// The range of frames to play after trimming, counted from the buffer's first frame.
    let audibleFrames: Range<Int>
    /// The parameter changes at the first audible frame.
    var events: [QueueParameterEvent] = []
    /// The position of the first audible frame on the timeline; nil to follow the previous item.
    var startFrames: Double?

    static func endMark(number: UInt64) -> OutputItem {
        unsafe OutputItem(
            number: number, buffer: nil, data: nil, byteCount: 0, descriptions: [], audibleFrames: 0..<0)
    }
}

extension OutputItem {
    /// Returns the number of frames to play; nil if the packets do not state their lengths.
    func expectedFrames(of format: AudioStreamBasicDescription) -> Int? {
        guard audibleFrames.upperBound == .max else { return audibleFrames.count }
        return OutputItem.frames(of: descriptions, format: format).map {
            max(0, $0 - audibleFrames.lowerBound)
        }
    }

    /// Returns the change that the device applies at the first audible frame; nil for none.
    ///
    /// - Parameter hasChain: Whether audio passes through effects, which then pan it instead of the device.
    func deviceChange(hasChain: Bool) -> SegmentChange? {
        guard !events.isEmpty else { return nil }
        var change = SegmentChange()
        for event in events {
            switch event {
            case .volume(let gain, let rampSeconds):
                change.setVolume(
                    Float(Double(gain).clamped(to: 0...1)),
                    rampSeconds: Float(Double(rampSeconds).clamped(to: 0...3600)))
            case .pan(let pan):
                if !hasChain { change.setPan(EffectChain.validPan(pan)) }
            case .sourceGain(let gain): change.sourceGain = gain
            case .playRate, .pitch: break
            }
        }
        return change.isEmpty ? nil : change
    }

    /// Checks an enqueue call and copies its arguments.
    ///
    /// - Parameter explicit: The packet descriptions of the call; nil for those in the client's struct.
    /// - Throws: ``QueueError/Code/bufferEmpty``; ``QueueError/Code/invalidArgument`` if the arguments do not fit the
    ///   data.
    init(
        number: UInt64, record: BufferPool.Record, format: AudioStreamBasicDescription,
        explicit: UnsafeBufferPointer<AudioStreamPacketDescription>?, trimFramesAtStart: Int,
        trimFramesAtEnd: Int
    ) throws(QueueError) {
        let byteCount = record.buffer.byteCount
        guard byteCount > 0 else { throw QueueError(.bufferEmpty, "cannot enqueue a buffer of 0 bytes") }
        guard byteCount <= record.byteCapacity else {
            throw QueueError(
                .invalidArgument,
                "cannot enqueue \(byteCount) bytes in a buffer of \(record.byteCapacity) bytes")
        }
        guard trimFramesAtStart >= 0, trimFramesAtEnd >= 0 else {
            throw QueueError(
                .invalidArgument, "cannot trim \(trimFramesAtStart) and \(trimFramesAtEnd) frames")
        }
        var descriptions: [AudioStreamPacketDescription] = []
        let audibleFrames: Range<Int>
        if format.hasConstantPacketSize {
            guard unsafe explicit?.isEmpty ?? true else {
                throw QueueError(
                    .invalidArgument, "cannot enqueue packet descriptions: all packets have one size")
            }
            guard byteCount % Int(format.mBytesPerPacket) == 0 else {
                throw QueueError(
                    .invalidArgument,
                    "cannot enqueue \(byteCount) bytes: no whole number of packets of "
                        + "\(format.mBytesPerPacket) bytes")
            }
            let frames = byteCount / Int(format.mBytesPerPacket) * Int(format.mFramesPerPacket)
            let start = min(trimFramesAtStart, frames)
            audibleFrames = start..<max(start, frames - min(trimFramesAtEnd, frames))
        } else {
            unsafe descriptions = try OutputItem.copyDescriptions(explicit, of: record)
            try OutputItem.check(descriptions, byteCount: byteCount)
            // Without a trim, all decoded frames are played, even if the packets state a smaller number.
            var end = Int.max
            if trimFramesAtEnd > 0 {
                guard let frames = OutputItem.frames(of: descriptions, format: format) else {
                    throw QueueError(.invalidArgument, "cannot trim the end of packets of unknown length")
                }
                end = frames - min(trimFramesAtEnd, frames)
            }
            audibleFrames = trimFramesAtStart..<max(trimFramesAtStart, end)
        }
        unsafe self.init(
            number: number, buffer: record.buffer, data: UnsafeRawPointer(record.data), byteCount: byteCount,
            descriptions: descriptions, audibleFrames: audibleFrames)
    }

    private static func copyDescriptions(
        _ explicit: UnsafeBufferPointer<AudioStreamPacketDescription>?, of record: BufferPool.Record
    ) throws(QueueError) -> [AudioStreamPacketDescription] {
        if let explicit = unsafe explicit { return unsafe Array(explicit) }
        let packets = record.buffer.packetDescriptionCount
        guard packets <= record.descriptionCapacity else {
            throw QueueError(
                .invalidArgument,
                "cannot enqueue \(packets) packet descriptions from room for \(record.descriptionCapacity)")
        }
        return unsafe Array(UnsafeBufferPointer(start: record.descriptions, count: packets))
    }

    /// Checks that the data contains every packet.
    private static func check(
        _ descriptions: [AudioStreamPacketDescription], byteCount: Int
    ) throws(QueueError) {
        guard !descriptions.isEmpty else {
            throw QueueError(
                .invalidArgument, "cannot enqueue packets of varying size without packet descriptions")
        }
        for (index, packet) in descriptions.enumerated() {
            guard packet.mStartOffset >= 0, packet.mStartOffset <= Int64(byteCount),
                Int64(packet.mDataByteSize) <= Int64(byteCount) - packet.mStartOffset
            else {
                throw QueueError(
                    .invalidArgument,
                    "cannot enqueue packet \(index): \(packet.mDataByteSize) bytes at \(packet.mStartOffset) "
                        + "do not lie in \(byteCount) bytes")
            }
        }
    }

    /// Returns the number of frames that the packets state; nil if they state none.
    private static func frames(
        of descriptions: [AudioStreamPacketDescription], format: AudioStreamBasicDescription
    ) -> Int? {
        var frames = 0
        for packet in descriptions {
            let inPacket =
                format.mFramesPerPacket == 0 ? packet.mVariableFramesInPacket : format.mFramesPerPacket
            guard inPacket > 0 else { return nil }
            frames += Int(inPacket)
        }
        return frames
    }
}
