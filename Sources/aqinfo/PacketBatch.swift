// SPDX-License-Identifier: MIT

import AQFiles
import CoreAudioTypes

/// Packets of a file that are read together.
@safe final class PacketBatch {
    /// The number of packets of the last read.
    private(set) var packets = 0

    private let file: AudioFile
    private let format: AudioStreamBasicDescription
    private var bytes: UnsafeMutableRawBufferPointer
    private let descriptions: UnsafeMutableBufferPointer<AudioStreamPacketDescription>
    private var filledBytes = 0

    init(file: AudioFile) {
        self.file = file
        format = file.format
        // The memory grows if a packet needs more, because the limit in the file may be wrong.
        let least = min(max(file.packetSizeUpperBound, Int(format.mBytesPerPacket), 1), 1 << 20)
        unsafe bytes = .allocate(byteCount: max(least, 1 << 16), alignment: 16)
        unsafe descriptions = .allocate(capacity: format.hasConstantPacketSize ? 0 : 64)
        unsafe descriptions.initialize(repeating: AudioStreamPacketDescription())
    }

    deinit {
        unsafe bytes.deallocate()
        unsafe descriptions.deallocate()
    }

    /// Reads packets from `packet` on; reads none at the end of the file.
    func read(from packet: Int64) throws(AudioFileError) {
        while true {
            do throws(AudioFileError) {
                let read = try unsafe file.readPackets(from: packet, into: bytes, descriptions: descriptions)
                (packets, filledBytes) = (read.packets, read.bytes)
                return
            } catch {
                guard error.code == .bufferTooSmall, unsafe bytes.count < file.packetSizeUpperBound else {
                    throw error
                }
                let count = unsafe min(bytes.count * 4, file.packetSizeUpperBound)
                unsafe bytes.deallocate()
                unsafe bytes = .allocate(byteCount: count, alignment: 16)
            }
        }
    }

    /// Returns the size and the frames of a packet. The frames are nil if neither the format nor the description states
    /// them.
    func packet(at index: Int) -> (bytes: Int, frames: Int?) {
        guard !format.hasConstantPacketSize, unsafe index < descriptions.count else {
            return (Int(format.mBytesPerPacket), Int(format.mFramesPerPacket))
        }
        let description = unsafe descriptions[index]
        let frames =
            description.mVariableFramesInPacket > 0
            ? description.mVariableFramesInPacket : format.mFramesPerPacket
        return (Int(description.mDataByteSize), frames > 0 ? Int(frames) : nil)
    }

    /// Calls `body` with the packets for each call of a decoder: packets of one size together, others one by one.
    func forEachRun(_ body: (UnsafeRawBufferPointer) throws -> Void) rethrows {
        guard !format.hasConstantPacketSize else {
            return try unsafe body(UnsafeRawBufferPointer(rebasing: bytes[..<filledBytes]))
        }
        for index in unsafe 0..<min(packets, descriptions.count) {
            let description = unsafe descriptions[index]
            let start = Int(clamping: description.mStartOffset)
            let end = start + Int(description.mDataByteSize)
            guard start >= 0, unsafe end <= bytes.count else { continue }
            try unsafe body(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
        }
    }
}
