// SPDX-License-Identifier: MIT

import CoreAudioTypes
import AQMagicCookies

/// The delivery of packets at the positions in a table. The data between packets is skipped.
struct TabledPackets<Positions: PacketPositions> {
    var positions: Positions
    /// Whether packets are delivered with descriptions.
    let isDescribed: Bool
    private var passed: Int64 = 0

    init(positions: Positions, isDescribed: Bool) {
        self.positions = positions
        self.isDescribed = isDescribed
    }

    mutating func step(_ core: StreamCore) throws(AudioFileError) -> StreamStep {
        var packets = 0
        var bytes = 0
        while packets < StreamCore.batchPackets, let packet = positions.current {
            let (here, overflow) = core.queue.nextOffset.addingReportingOverflow(Int64(bytes))
            guard !overflow else { break }
            if packet.byteOffset != here {
                if packets > 0 { break }
                try skip(to: packet.byteOffset, from: here, core)
                continue
            }
            guard packet.bytes <= StreamLimits.packetBytes else {
                // Complete packets are delivered first.
                if packets > 0 { break }
                throw AudioFileError(.damaged, "the table gives packet \(passed) \(packet.bytes) bytes")
            }
            let room = core.queue.count - bytes
            // A packet without bytes also counts only after the stream has reached its offset.
            guard packet.bytes <= room, core.queue.offset == core.queue.nextOffset else { break }
            // Packets without bytes are taken one by one, because any number of them would fit.
            let alike =
                isDescribed || packet.bytes == 0 ? 1 : Int(min(packet.alike, Int64(room / packet.bytes)))
            if isDescribed {
                core.descriptions.append(
                    AudioStreamPacketDescription(
                        mStartOffset: Int64(bytes), mVariableFramesInPacket: packet.frames,
                        mDataByteSize: UInt32(packet.bytes)))
            }
            packets += alike
            bytes += alike * packet.bytes
            positions.pass(alike)
        }
        if packets > 0 {
            passed += Int64(packets)
            core.deliver(packets: packets, bytes: bytes, isDescribed: isDescribed)
            return .again
        }
        guard let next = positions.current else { return .done }
        if core.isAtEnd {
            core.facts.warnings.append("the audio ends at packet \(passed)\(Self.total(core))")
        }
        return .needs(max(next.bytes, 1))
    }

    /// Detects extensions in the available first packets that their configuration does not announce.
    ///
    /// - Returns: The configuration found, and the number of bytes needed for further packets, nil if none are needed.
    func config(
        foundFor announced: AudioSpecificConfig, _ core: StreamCore
    ) -> (AudioSpecificConfig, neededBytes: Int?) {
        var detector = ExtensionDetector(announced)
        var positions = positions
        if !detector.isDecided, let first = positions.current {
            core.queue.skip(max(first.byteOffset - core.queue.nextOffset, 0))
        }
        while !detector.isDecided, let packet = positions.current {
            let start = packet.byteOffset - core.queue.nextOffset
            // Packets that are far apart, or earlier in the file, are left to the decoder.
            guard start >= 0, start <= Int64(StreamLimits.examinedBytes),
                packet.bytes <= StreamLimits.examinedBytes
            else {
                break
            }
            let end = Int(start) + packet.bytes
            guard end <= core.queue.count else { return (detector.config, end) }
            unsafe detector.examine(UnsafeRawBufferPointer(rebasing: core.queue.bytes[Int(start)..<end]))
            positions.pass(1)
        }
        return (detector.config, nil)
    }

    /// Sets the next packet.
    mutating func resume(atPacket packet: Int64, positions: Positions) {
        self.positions = positions
        passed = packet
    }

    private func skip(to offset: Int64, from here: Int64, _ core: StreamCore) throws(AudioFileError) {
        guard offset > here else {
            throw AudioFileError(
                .notSeekable, "packet \(passed) is at byte \(offset), and the stream is past that")
        }
        core.queue.skip(offset - here)
    }

    private static func total(_ core: StreamCore) -> String {
        core.facts.packetCount.map { " of \($0)" } ?? ""
    }
}
