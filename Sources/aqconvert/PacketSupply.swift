// SPDX-License-Identifier: MIT

import AudioCodecs
import AudioFiles
import CoreAudioTypes
import Synchronization
import ToolSupport

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
    private let isCancelled: () -> Bool

    /// - Parameter isCancelled: Called before each block; true ends the conversion.
    init(_ file: AudioFile, from packet: Int64, isCancelled: @escaping () -> Bool) {
        self.file = file
        self.packet = packet
        self.isCancelled = isCancelled
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
    func next() throws(ToolFailure) -> Block {
        if isCancelled() { throw ToolFailure.interrupted }
        let read: PacketRead
        do throws(AudioFileError) {
            read = try unsafe file.readPackets(from: packet, into: bytes, descriptions: descriptions)
        } catch {
            throw ToolFailure(reading: error)
        }
        packet += Int64(read.packets)
        let used = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<read.bytes])
        let packetDescriptions = unsafe UnsafeBufferPointer(
            rebasing: descriptions[..<(hasDescriptions ? read.packets : 0)])
        return unsafe Block(
            bytes: used, descriptions: hasDescriptions ? packetDescriptions : nil, packets: read.packets)
    }

    /// Returns the next block in the form that an ``AudioConverter`` requests.
    func supply() throws(ToolFailure) -> AudioConverter.Supply {
        let block = try unsafe next()
        return unsafe block.packets == 0
            ? .endOfStream
            : .packets(block.bytes, descriptions: block.descriptions, packetCount: block.packets)
    }
}
