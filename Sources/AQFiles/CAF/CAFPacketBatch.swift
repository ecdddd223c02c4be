// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The packets of one append, as a packet table lists them.
struct CAFPacketBatch {
    /// The end of a packet, relative to the start of the batch.
    struct End {
        var bytes: Int64
        var frames: Int64
        var entryBytes: Int
    }

    private(set) var entries: [UInt8] = []
    private(set) var ends: [End] = []
    /// The ranges of the packets in the caller's memory; adjacent packets are joined.
    private(set) var runs: [Range<Int>] = []

    var count: Int { ends.count }

    var bytes: Int64 { ends.last?.bytes ?? 0 }

    /// - Parameter memoryBytes: The size of the memory with the packets.
    /// - Throws: `unsupported` for packets outside the memory or with a size that the format excludes.
    init(
        _ descriptions: UnsafeBufferPointer<AudioStreamPacketDescription>,
        of format: AudioStreamBasicDescription, in memoryBytes: Int
    ) throws(AudioFileError) {
        var end = End(bytes: 0, frames: 0, entryBytes: 0)
        for index in descriptions.indices {
            let packet = unsafe descriptions[index]
            let bytes = Int(packet.mDataByteSize)
            let range = try DescribedPackets.range(of: packet, number: index, in: memoryBytes)
            guard bytes <= CAFVariableLength.maximum else {
                throw AudioFileError(.unsupported, "packet \(index) has \(bytes) bytes")
            }
            guard format.mBytesPerPacket == 0 || bytes == Int(format.mBytesPerPacket) else {
                throw AudioFileError(
                    .unsupported, "packet \(index) has \(bytes) bytes, not \(format.mBytesPerPacket)")
            }
            let frames = Int64(
                format.mFramesPerPacket == 0 ? packet.mVariableFramesInPacket : format.mFramesPerPacket)
            guard frames <= CAFVariableLength.maximum else {
                throw AudioFileError(.unsupported, "packet \(index) has \(frames) frames")
            }
            if format.mBytesPerPacket == 0 { CAFVariableLength.append(Int64(bytes), to: &entries) }
            if format.mFramesPerPacket == 0 { CAFVariableLength.append(frames, to: &entries) }
            end.bytes += Int64(bytes)
            end.frames += frames
            end.entryBytes = entries.count
            ends.append(end)
            if let last = runs.last, last.upperBound == range.lowerBound {
                runs[runs.count - 1] = last.lowerBound..<range.upperBound
            } else {
                runs.append(range)
            }
        }
    }

    /// Returns the size of a table entry, for a packet as large as its frames in 32-bit PCM.
    static func usualEntryBytes(of format: AudioStreamBasicDescription) -> Int {
        let frames = format.mFramesPerPacket == 0 ? 1 << 16 : Int64(format.mFramesPerPacket)
        let (bytes, overflow) = frames.multipliedReportingOverflow(by: Int64(format.mChannelsPerFrame) * 4)
        var entry: [UInt8] = []
        if format.mBytesPerPacket == 0 { CAFVariableLength.append(overflow ? .max : bytes, to: &entry) }
        if format.mFramesPerPacket == 0 { CAFVariableLength.append(frames, to: &entry) }
        return entry.count
    }

    /// The number of packets that end within the first bytes of the batch.
    func packets(within bytes: Int64) -> Int {
        ends.firstIndex { $0.bytes > bytes } ?? ends.count
    }
}
