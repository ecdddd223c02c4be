// SPDX-License-Identifier: MIT

/// The delivery of packets of constant size, as many at once as are available.
struct ConstantPackets {
    private let packetBytes: Int
    /// The size of the audio; nil if it extends to the end of the stream.
    private let dataBytes: Int64?
    private var position: Int64 = 0

    init(packetBytes: Int, dataBytes: Int64?) {
        self.packetBytes = packetBytes
        self.dataBytes = dataBytes
    }

    mutating func step(_ core: StreamCore) -> StreamStep {
        let left = dataBytes.map { $0 - position } ?? .max
        guard left >= Int64(packetBytes) else { return .done }
        let packets = Int(min(left, Int64(core.queue.count))) / packetBytes
        guard packets > 0 else {
            if core.isAtEnd { report(core) }
            return .needs(packetBytes)
        }
        position += Int64(packets * packetBytes)
        core.deliver(packets: packets, bytes: packets * packetBytes, isDescribed: false)
        return .again
    }

    func position(ofPacket packet: Int64) -> StreamPosition? {
        let (offset, overflow) = packet.multipliedReportingOverflow(by: Int64(packetBytes))
        return overflow ? nil : StreamPosition(byteOffset: offset, isEstimated: false)
    }

    mutating func resume(_ target: StreamPosition) { position = target.byteOffset }

    private func report(_ core: StreamCore) {
        let rest = core.queue.count
        if let dataBytes {
            core.facts.warnings.append(
                "the header promises \(dataBytes) bytes of audio, but the stream ends after "
                    + "\(position + Int64(rest))")
        } else if rest > 0 {
            core.facts.warnings.append("the last packet is cut short: \(rest) bytes of \(packetBytes)")
        }
    }
}
