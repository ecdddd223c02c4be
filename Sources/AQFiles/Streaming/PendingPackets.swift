// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The packets of a stream that were not requested so far: one batch, and the rest of earlier batches.
struct PendingPackets {
    /// The size of every packet; 0 if it varies.
    private let packetBytes: Int
    private var bytes: [UInt8] = []
    private var firstByte = 0
    private var descriptions: [AudioStreamPacketDescription] = []
    private var firstDescription = 0

    init(packetBytes: Int) { self.packetBytes = packetBytes }

    var count: Int {
        packetBytes > 0 ? (bytes.count - firstByte) / packetBytes : descriptions.count - firstDescription
    }

    /// The size of the first packet in bytes, and its frames if the format does not fix them.
    var first: (bytes: Int, frames: UInt32)? {
        guard count > 0 else { return nil }
        guard packetBytes == 0 else { return (packetBytes, 0) }
        let description = descriptions[firstDescription]
        return (Int(description.mDataByteSize), description.mVariableFramesInPacket)
    }

    /// Adds a batch after the rest of earlier batches, which is small.
    mutating func append(
        _ new: UnsafeRawBufferPointer, _ newDescriptions: UnsafeBufferPointer<AudioStreamPacketDescription>?
    ) {
        dropTaken()
        let base = Int64(bytes.count)
        unsafe bytes.append(contentsOf: new)
        guard let newDescriptions = unsafe newDescriptions else { return }
        let first = descriptions.count
        unsafe descriptions.append(contentsOf: newDescriptions)
        if base > 0 { for index in first..<descriptions.count { descriptions[index].mStartOffset += base } }
    }

    private mutating func dropTaken() {
        guard count > 0 else {
            bytes.removeAll(keepingCapacity: true)
            descriptions.removeAll(keepingCapacity: true)
            (firstByte, firstDescription) = (0, 0)
            return
        }
        let start = packetBytes > 0 ? firstByte : Int(descriptions[firstDescription].mStartOffset)
        bytes.removeFirst(start)
        descriptions.removeFirst(firstDescription)
        for index in descriptions.indices { descriptions[index].mStartOffset -= Int64(start) }
        (firstByte, firstDescription) = (0, 0)
    }

    /// Copies packets of constant size to the start of `memory`, as many as fit; returns their number.
    mutating func takeAlike(into memory: UnsafeMutableRawBufferPointer) -> Int {
        let packets = min(memory.count / packetBytes, count)
        unsafe copy(packets * packetBytes, from: firstByte, into: memory)
        firstByte += packets * packetBytes
        return packets
    }

    /// Copies the first packet to the start of `memory`, which has room for it.
    mutating func takeFirst(into memory: UnsafeMutableRawBufferPointer) {
        let description = descriptions[firstDescription]
        unsafe copy(Int(description.mDataByteSize), from: Int(description.mStartOffset), into: memory)
        firstDescription += 1
    }

    mutating func drop(_ packets: Int) {
        if packetBytes > 0 { firstByte += packets * packetBytes } else { firstDescription += packets }
    }

    private func copy(_ count: Int, from start: Int, into memory: UnsafeMutableRawBufferPointer) {
        unsafe bytes[start..<start + count].withUnsafeBytes { unsafe memory.copyMemory(from: $0) }
    }
}
