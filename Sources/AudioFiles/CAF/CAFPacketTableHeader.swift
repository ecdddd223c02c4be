/// The beginning of a 'pakt' chunk: the structure `CAFPacketTableHeader` of the published header.
struct CAFPacketTableHeader: Equatable {
    /// Packets that the entries are for; 0 where all packets have one size.
    var packets: Int64
    var frames: PacketTable

    init(packets: Int64, frames: PacketTable) {
        self.packets = packets
        self.frames = frames
    }

    /// Nil for fewer bytes than the header has.
    init?(_ bytes: some Sequence<UInt8>) {
        var cursor = CAFCursor(bytes)
        guard let packets = cursor.read(Int64.self), let valid = cursor.read(Int64.self),
            let priming = cursor.read(Int32.self), let remainder = cursor.read(Int32.self)
        else { return nil }
        self.packets = packets
        frames = PacketTable(
            primingFrames: Int64(priming), validFrames: valid, remainderFrames: Int64(remainder))
    }

    /// Counts each frame as several. What is too many for that is too many anyway.
    mutating func scaleFrames(by factor: Int64) {
        func scaled(_ frames: Int64) -> Int64 {
            let (product, overflow) = frames.multipliedReportingOverflow(by: factor)
            return overflow ? frames : product
        }
        frames = PacketTable(
            primingFrames: scaled(frames.primingFrames), validFrames: scaled(frames.validFrames),
            remainderFrames: scaled(frames.remainderFrames))
    }

    /// The header as the chunk has it.
    var bytes: [UInt8] {
        var contents = HeaderBytes()
        contents.append(big: packets)
        contents.append(big: frames.validFrames)
        contents.append(big: Int32(clamping: frames.primingFrames))
        contents.append(big: Int32(clamping: frames.remainderFrames))
        return contents.bytes
    }

    /// Bytes of the header.
    static let bytes = 24

    /// True if its counts make sense, and are not left at 0.
    var promisesSound: Bool {
        let counts = [frames.primingFrames, frames.validFrames, frames.remainderFrames]
        return counts.allSatisfy { $0 >= 0 } && counts.contains { $0 > 0 }
    }

    /// The frames that this makes of packets which really decode to `total`, and what is wrong if it does not
    /// account for just these.
    func resolved(total: Int64) -> (frames: PacketTable, fault: String?) {
        let (priming, valid, remainder) = (frames.primingFrames, frames.validFrames, frames.remainderFrames)
        guard priming >= 0, valid >= 0, remainder >= 0 else {
            let all = PacketTable(primingFrames: 0, validFrames: total, remainderFrames: 0)
            return (all, "the packet table gives \(priming) + \(valid) + \(remainder) frames")
        }
        // Some writers leave the counts at 0; that there is nothing to hear is not meant.
        guard promisesSound else {
            return (PacketTable(primingFrames: 0, validFrames: total, remainderFrames: 0), nil)
        }
        let kept = min(priming, total)
        let heard = min(valid, total - kept)
        let result = PacketTable(
            primingFrames: kept, validFrames: heard, remainderFrames: total - kept - heard)
        let (sum, overflow) = valid.addingReportingOverflow(priming + remainder)
        guard overflow || sum != total else { return (result, nil) }
        return (
            result, "the packet table accounts for \(overflow ? "too many" : "\(sum)") of \(total) frames"
        )
    }
}
