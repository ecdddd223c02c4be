// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The index built from a track's tables in one pass over its chunks, and its faults.
struct MP4TablePackets {
    private(set) var index: PacketIndex
    /// The number of packets that the tables promise.
    private(set) var claimedPackets: Int64
    /// The faults, one line each.
    private(set) var faults: [String] = []

    private let tables: MP4SampleTables
    private let fileBytes: Int64
    /// The number of the table's samples per packet, for formats with a constant packet size; otherwise 1.
    private let samplesPerPacket: Int64

    /// Lists the packets of a track.
    ///
    /// - Parameters:
    ///   - fileBytes: The size that packets must fit in, also in total; nil if unknown.
    init(_ tables: MP4SampleTables, of format: AudioStreamBasicDescription, fileBytes: Int64?) {
        self.tables = tables
        self.fileBytes = fileBytes ?? .max / 2
        let common = tables.commonSampleBytes
        // QUIRK: QuickTime counts frames as samples, often of "1 byte", whatever their size.
        let countsFrames =
            format.mBytesPerPacket > 0 && common > 0 && common != format.mBytesPerPacket
        samplesPerPacket = countsFrames ? Int64(max(format.mFramesPerPacket, 1)) : 1
        let packetBytes = common > 0 && format.mBytesPerPacket == 0 ? common : format.mBytesPerPacket
        index = PacketIndex(packetBytes: Int(packetBytes))
        claimedPackets = tables.sampleCount / samplesPerPacket
        walk()
    }

    private mutating func walk() {
        for name in tables.missingTables { faults.append("its table of \(name) is missing") }
        if tables.isSizeTableCut { faults.append("its table of sizes is cut off") }
        var samples: Int64 = 0
        var nextChunk = 0
        for position in 0..<tables.chunkRunCount where samples < tables.sampleCount {
            let run = tables.chunkRun(position)
            guard !run.chunks.isEmpty else { continue }
            if run.description > 1 {
                endHere("its format changes at")
                claimedPackets = index.count
                return
            }
            // Repeated chunks may repeat packets, or contain none.
            guard run.chunks.lowerBound >= nextChunk else {
                return endHere("its table of chunks goes back at")
            }
            nextChunk = run.chunks.upperBound
            for chunk in run.chunks {
                let left = tables.sampleCount - samples
                let count = min(run.samplesPerChunk, left)
                guard count > 0 else { break }
                guard count == left || count >= samplesPerPacket else {
                    return endHere("a chunk is shorter than a packet at")
                }
                if let fault = add(chunk, samples: samples..<samples + count) { return faults.append(fault) }
                samples += count
            }
        }
        if samples < tables.sampleCount {
            faults.append("its tables give the offsets of \(samples) of \(tables.sampleCount) samples")
        }
    }

    private mutating func endHere(_ reason: String) {
        faults.append("\(reason) packet \(index.count), and it ends there")
    }

    /// Adds the packets of a chunk; returns a fault if there is one.
    private mutating func add(_ chunk: Int, samples: Range<Int64>) -> String? {
        guard let offset = tables.chunkOffset(chunk) else { return leadingOut }
        return index.packetBytes > 0 && tables.commonSampleBytes > 0
            ? addConstant(at: offset, samples: Int64(samples.count)) : add(at: offset, samples: samples)
    }

    private var leadingOut: String {
        "its tables lead out of the file after \(index.count) of \(claimedPackets) packets"
    }

    private mutating func addConstant(at offset: Int64, samples: Int64) -> String? {
        let packetBytes = Int64(index.packetBytes)
        let room = min(fileBytes - offset, fileBytes - index.audioBytes)
        let wanted = samples / samplesPerPacket
        let fitting = min(wanted, max(room, 0) / packetBytes)
        index.append(byteOffset: offset, packets: fitting)
        return fitting == wanted ? nil : leadingOut
    }

    private mutating func add(at offset: Int64, samples: Range<Int64>) -> String? {
        var offset = offset
        for sample in samples {
            let bytes = tables.sampleBytes(sample)
            guard Int64(bytes) <= fileBytes - offset,
                Int64(bytes) <= fileBytes - index.audioBytes
            else { return leadingOut }
            if index.packetBytes > 0 {
                // A sample may contain several packets of constant size.
                index.append(byteOffset: offset, packets: Int64(bytes) / Int64(index.packetBytes))
            } else {
                if bytes == 0, let fault = index.countEmptyPacket() { return fault }
                index.append(byteOffset: offset, bytes: bytes)
            }
            offset += Int64(bytes)
        }
        return nil
    }
}
