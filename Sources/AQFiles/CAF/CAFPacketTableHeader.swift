// SPDX-License-Identifier: MIT

/// The start of a 'pakt' chunk: the published structure `CAFPacketTableHeader`.
struct CAFPacketTableHeader: Equatable {
    /// The number of packets with entries; 0 if all packets have one size.
    var packets: Int64
    var frames: PacketTable

    init(packets: Int64, frames: PacketTable) {
        self.packets = packets
        self.frames = frames
    }

    /// Reads the header; nil if there are too few bytes.
    init?(_ bytes: some Sequence<UInt8>) {
        var cursor = FieldCursor(bytes)
        guard let packets = cursor.read(Int64.self), let valid = cursor.read(Int64.self),
            let priming = cursor.read(Int32.self), let remainder = cursor.read(Int32.self)
        else { return nil }
        self.packets = packets
        frames = PacketTable(
            primingFrames: Int64(priming), validFrames: valid, remainderFrames: Int64(remainder))
    }

    /// Multiplies all frame counts. A count that would overflow is kept, because it was too large anyway.
    mutating func scaleFrames(by factor: Int64) {
        func scaled(_ frames: Int64) -> Int64 {
            let (product, overflow) = frames.multipliedReportingOverflow(by: factor)
            return overflow ? frames : product
        }
        frames = PacketTable(
            primingFrames: scaled(frames.primingFrames), validFrames: scaled(frames.validFrames),
            remainderFrames: scaled(frames.remainderFrames))
    }

    var bytes: [UInt8] {
        var contents = HeaderBytes()
        contents.append(big: packets)
        contents.append(big: frames.validFrames)
        contents.append(big: Int32(clamping: frames.primingFrames))
        contents.append(big: Int32(clamping: frames.remainderFrames))
        return contents.bytes
    }

    static let bytes = 24

    /// Whether the frame counts are plausible and not all 0.
    var promisesSound: Bool {
        let counts = [frames.primingFrames, frames.validFrames, frames.remainderFrames]
        return counts.allSatisfy { $0 >= 0 } && counts.contains { $0 > 0 }
    }

    /// The frames for packets that decode to `total` frames, and the fault if the header states another total.
    func resolved(total: Int64) -> (frames: PacketTable, fault: String?) {
        let (priming, valid, remainder) = (frames.primingFrames, frames.validFrames, frames.remainderFrames)
        guard priming >= 0, valid >= 0, remainder >= 0 else {
            let all = PacketTable(primingFrames: 0, validFrames: total, remainderFrames: 0)
            return (all, "the packet table gives \(priming) + \(valid) + \(remainder) frames")
        }
        // Some writers leave the counts at 0 although the file has audio.
        guard promisesSound else {
            return (PacketTable(primingFrames: 0, validFrames: total, remainderFrames: 0), nil)
        }
        let kept = min(priming, total)
        let validFrames = min(valid, total - kept)
        let result = PacketTable(
            primingFrames: kept, validFrames: validFrames, remainderFrames: total - kept - validFrames)
        let (sum, overflow) = valid.addingReportingOverflow(priming + remainder)
        guard overflow || sum != total else { return (result, nil) }
        return (
            result, "the packet table accounts for \(overflow ? "too many" : "\(sum)") of \(total) frames"
        )
    }
}
