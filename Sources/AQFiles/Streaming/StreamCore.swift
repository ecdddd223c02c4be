// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The core of a stream: its bytes, facts, callbacks and parser.
///
/// The core advances one step at a time, so that a client that pulls packets gets at most one batch.
@safe final class StreamCore {
    typealias PacketsHandler = (
        _ bytes: UnsafeRawBufferPointer, _ packets: Int,
        _ descriptions: UnsafeBufferPointer<AudioStreamPacketDescription>?
    ) -> Void

    let queue = ByteQueue()
    var facts = StreamFacts()
    /// The container's name, if it differs from its file type's.
    var containerName: String?
    /// The positions of the packets in a batch, for ``deliver(packets:bytes:isDescribed:)``.
    var descriptions: [AudioStreamPacketDescription] = []
    /// Whether no more bytes will arrive.
    private(set) var isAtEnd = false
    /// Whether neither a seek nor a gap has occurred, so that the bytes are consecutive from the start.
    private(set) var isUnbroken = true
    /// Whether no packet was delivered since the start, a seek or a gap.
    private(set) var awaitsPacket = true

    /// The first packet whose frames may be after the end of the audio, which only later data shows; nil if there is
    /// none. A client that trims such frames holds the packet back until that data arrives.
    var firstUncertainPacket: Int64?
    /// A closure that makes the packet table from the final number of packets, if the header has only trims.
    var tableAtEnd: ((_ packets: Int64) -> PacketTable?)?

    var propertyFound: (AudioFileStream.Property) -> Void = { _ in }
    var packetsFound: PacketsHandler = { _, _, _ in }

    private var parser: any ContainerParser
    private var neededBytes = 1
    /// Whether no more packets will come.
    private(set) var isDone = false

    init(typeHint: AudioFileType?) {
        parser = FileTypeDetector(typeHint: typeHint)
    }

    /// The maximum number of described packets in a batch.
    static let batchPackets = 256

    /// Whether any byte has arrived.
    var hasBegun: Bool { queue.offset + Int64(queue.count) > 0 }

    func append(_ bytes: UnsafeRawBufferPointer) { if !isDone { unsafe queue.append(bytes) } }

    /// Performs one step; returns false if it needs more bytes, or the stream has ended.
    func advance() throws(AudioFileError) -> Bool {
        guard !isDone, isAtEnd || queue.count >= neededBytes else { return false }
        switch try parser.step(self) {
        case .again: neededBytes = 0
        case .needs(let bytes):
            neededBytes = max(bytes, queue.count + 1)
            if isAtEnd { try stop() }
            return false
        case .done: try stop()
        }
        return !isDone
    }

    /// Marks the end of the bytes; the caller must then perform steps.
    func finish() { isAtEnd = true }

    func hand(over next: any ContainerParser) { parser = next }

    private func stop() throws(AudioFileError) {
        isDone = true
        guard facts.isReady else {
            throw AudioFileError(
                .damaged, "it ends after \(queue.offset + Int64(queue.count)) bytes, before its audio")
        }
        guard isAtEnd, isUnbroken else { return }
        // The counts that the header left open are now known.
        completeCounts()
    }

    private func completeCounts() {
        guard facts.packetCount == nil || facts.dataByteCount == nil else { return }
        let promised = facts.packetTable
        if tableAtEnd != nil { facts.packetCount = nil }
        facts.packetCount = facts.packetCount ?? facts.deliveredPackets
        facts.dataByteCount = facts.dataByteCount ?? facts.deliveredBytes
        if let tableAtEnd {
            facts.packetTable = tableAtEnd(facts.deliveredPackets)
        } else if promised == nil, let format = facts.format, format.mFramesPerPacket > 0 {
            let (frames, overflow) = facts.deliveredPackets.multipliedReportingOverflow(
                by: Int64(format.mFramesPerPacket))
            if !overflow {
                facts.packetTable = PacketTable(primingFrames: 0, validFrames: frames, remainderFrames: 0)
            }
        }
        propertyFound(.audioDataByteCount)
        propertyFound(.audioDataPacketCount)
        if facts.packetTable != nil, facts.packetTable != promised { propertyFound(.packetTableInfo) }
    }
}

extension StreamCore {
    func found(_ type: AudioFileType) {
        facts.fileType = type
        propertyFound(.fileFormat)
    }

    func found(_ format: AudioStreamBasicDescription) {
        facts.format = format
        propertyFound(.dataFormat)
    }

    /// Marks the start of the audio, and publishes all known facts.
    func becomeReady() {
        facts.dataOffset = facts.dataOffset ?? queue.offset
        // A larger packet would be refused, so no client needs room for it.
        facts.packetSizeUpperBound = facts.packetSizeUpperBound.map { min($0, StreamLimits.packetBytes) }
        if facts.channelLabels.isEmpty, let format = facts.format {
            facts.channelLabels = ChannelLabels.defaults(channels: Int(format.mChannelsPerFrame))
        }
        for property in AudioFileStream.Property.allCases {
            switch property {
            case .fileFormat, .dataFormat, .readyToProducePackets: continue
            default: if facts.isKnown(property) { propertyFound(property) }
            }
        }
        facts.isReady = true
        propertyFound(.readyToProducePackets)
    }

    /// Delivers the first available bytes to the client as one packet, and then drops them.
    func deliverPacket(bytes: Int) {
        descriptions.append(
            AudioStreamPacketDescription(
                mStartOffset: 0, mVariableFramesInPacket: 0, mDataByteSize: UInt32(bytes)))
        deliver(packets: 1, bytes: bytes, isDescribed: true)
    }

    /// Delivers the first available bytes to the client, and then drops them.
    ///
    /// - Parameter isDescribed: Whether ``descriptions`` has the positions of the packets.
    func deliver(packets: Int, bytes: Int, isDescribed: Bool) {
        facts.deliveredPackets += Int64(packets)
        facts.deliveredBytes += Int64(bytes)
        awaitsPacket = false
        let shown = unsafe UnsafeRawBufferPointer(rebasing: queue.bytes[..<bytes])
        if isDescribed {
            unsafe descriptions.withUnsafeBufferPointer { unsafe packetsFound(shown, packets, $0) }
            descriptions.removeAll(keepingCapacity: true)
        } else {
            unsafe packetsFound(shown, packets, nil)
        }
        queue.skip(Int64(bytes))
    }
}

extension StreamCore {
    func position(ofPacket packet: Int64) throws(AudioFileStreamError) -> StreamPosition {
        guard facts.isReady else {
            throw AudioFileStreamError(
                .dataUnavailable, "cannot find packet \(packet): the header has not been parsed to its end")
        }
        if packet >= 0, facts.packetCount.map({ packet < $0 }) ?? true,
            let position = parser.position(ofPacket: packet, self)
        {
            return position
        }
        let count = facts.packetCount.map { ": there are \($0)" } ?? ""
        throw AudioFileStreamError(.invalidPacketOffset, "cannot find packet \(packet)\(count)")
    }

    /// Prepares for bytes from a packet on.
    func seek(toPacket packet: Int64) throws(AudioFileStreamError) -> StreamPosition {
        let position = try position(ofPacket: packet)
        let (offset, overflow) = position.byteOffset.addingReportingOverflow(facts.dataOffset ?? 0)
        // Later offsets are counted from this one.
        guard !overflow, offset < .max / 2 else {
            throw AudioFileStreamError(.invalidPacketOffset, "cannot find packet \(packet): it is too far")
        }
        restart(at: offset)
        parser.resume(atPacket: packet, position, self)
        return position
    }

    /// Prepares for bytes that do not follow the previous ones.
    func passGap() throws(AudioFileStreamError) {
        guard facts.isReady, parser.resumeAfterGap(self) else {
            throw AudioFileStreamError(
                .discontinuityCantRecover,
                "cannot parse on after a gap: "
                    + (facts.isReady
                        ? "its packets are found only by their offsets" : "it is inside the header"))
        }
        restart(at: queue.offset + Int64(queue.count))
    }

    private func restart(at offset: Int64) {
        queue.restart(at: offset)
        (neededBytes, isDone, isAtEnd, isUnbroken) = (1, false, false, false)
        awaitsPacket = true
    }
}
