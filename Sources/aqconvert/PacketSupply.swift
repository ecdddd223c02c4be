// SPDX-License-Identifier: MIT

import AQCodecs
import AQFiles
import CoreAudioTypes
import Synchronization
import AQToolSupport

/// Reads a file's packets for a converter, or for a copy, one block at a time.
@safe final class PacketSupply {
    // SAFETY: this object owns the memory; a block is used until the next one is read.
    private static let blockBytes = 256 << 10

    let file: AudioFile
    /// The next packet to read.
    private(set) var packet: Int64
    private let bytes: UnsafeMutableRawBufferPointer
    private let descriptions: UnsafeMutableBufferPointer<AudioStreamPacketDescription>
    private let hasDescriptions: Bool
    /// The number of packets to wait for at most; nil for as many as fit.
    private let livePackets: Int?
    private let isCancelled: () -> Bool
    /// Called after each block.
    var onRead: () -> Void = {}

    /// - Parameters:
    ///   - seconds: The longest duration of a block, in seconds, for an input that arrives in real time; nil for any.
    ///   - isCancelled: Called before each block; true ends the conversion.
    init(
        _ file: AudioFile, from packet: Int64, seconds: Double? = nil, isCancelled: @escaping () -> Bool
    ) {
        self.file = file
        self.packet = packet
        self.isCancelled = isCancelled
        livePackets = seconds.map { file.format.packets(inSeconds: $0) }
        hasDescriptions = !file.format.hasConstantPacketSize
        let room = max(PacketSupply.blockBytes, file.packetSizeUpperBound)
        unsafe bytes = .allocate(byteCount: room, alignment: 16)
        unsafe descriptions = .allocate(capacity: hasDescriptions ? 1024 : 0)
        unsafe descriptions.initialize(repeating: AudioStreamPacketDescription())
    }

    deinit {
        unsafe bytes.deallocate()
        unsafe descriptions.deallocate()
    }

    /// A block, in the forms of a converter and of a writer.
    @unsafe struct Block {
        var bytes: UnsafeRawBufferPointer
        var descriptions: UnsafeBufferPointer<AudioStreamPacketDescription>?
        var packets: Int
    }

    /// Reads the next block. It has no packets at the end of the file.
    ///
    /// - Parameter wanted: The number of packets that suffices. A live input is not waited for any longer.
    func next(wanting wanted: Int = .max) throws(ToolFailure) -> Block {
        if isCancelled() { throw ToolFailure.interrupted }
        let read: PacketRead
        do throws(AudioFileError) {
            let most = livePackets.map { max(1, min($0, wanted)) } ?? .max
            let packetBytes = Int(file.format.mBytesPerPacket)
            let room = unsafe bytes.count
            let used = hasDescriptions || most > room / packetBytes ? room : most * packetBytes
            read = try unsafe file.readPackets(
                from: packet, into: UnsafeMutableRawBufferPointer(rebasing: bytes.prefix(used)),
                descriptions: UnsafeMutableBufferPointer(rebasing: descriptions.prefix(most)))
        } catch {
            throw ToolFailure(reading: error)
        }
        packet += Int64(read.packets)
        onRead()
        let used = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<read.bytes])
        let packetDescriptions = unsafe UnsafeBufferPointer(
            rebasing: descriptions[..<(hasDescriptions ? read.packets : 0)])
        return unsafe Block(
            bytes: used, descriptions: hasDescriptions ? packetDescriptions : nil, packets: read.packets)
    }

    /// Returns the next block in the form that an ``AudioConverter`` requests.
    func supply(wanting wanted: Int) throws(ToolFailure) -> AudioConverter.Supply {
        let block = try unsafe next(wanting: wanted)
        return unsafe block.packets == 0
            ? .endOfStream
            : .packets(block.bytes, descriptions: block.descriptions, packetCount: block.packets)
    }
}

extension AudioStreamBasicDescription {
    /// The number of packets with a duration, at least 1; some if the format does not state their frames.
    func packets(inSeconds seconds: Double) -> Int {
        let packetSeconds = mFramesPerPacket > 0 ? Double(mFramesPerPacket) / mSampleRate : 0.02
        return max(1, Int(exactly: (seconds / packetSeconds).rounded()) ?? 1)
    }
}
