// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The search for the next packet of a stream without a header, and a record of the skipped bytes.
struct SyncSearch {
    /// The name of the packets, for messages.
    let what: String
    /// The number of bytes skipped since the last packet.
    private var garbageBytes: Int64 = 0
    /// The first skipped bytes, enough for the marker of a tag, which is not damage.
    private var firstBytes: [UInt8] = []
    /// The search for the marker of a tag that ends in the skipped bytes.
    private var footer = StreamTag.FooterSearch()
    /// Whether all skipped bytes are zeros, which are padding.
    private var isZero = true
    /// Whether bytes outside packets are expected next.
    private var isGapExpected = false

    /// Whether bytes were skipped since the last packet.
    var hasPassedBytes: Bool { garbageBytes > 0 }

    init(what: String) { self.what = what }

    /// Skips the first available byte, which does not begin a packet, up to the next byte that may begin one.
    mutating func miss(_ core: StreamCore) throws(AudioFileError) -> StreamStep {
        let next = unsafe core.queue.bytes.dropFirst().firstIndex { $0 == 0xFF || $0 == Self.tagMark }
        // Some streams end in a long tag, which contains no packets.
        let passed = Int64(next ?? core.queue.count)
        note(core, bytes: Int(passed))
        core.queue.skip(passed)
        guard garbageBytes <= Self.mostBytes else {
            guard core.facts.isReady else {
                throw AudioFileError(.unrecognised, "no packet of \(what) in its first \(garbageBytes) bytes")
            }
            report(core)
            return .done
        }
        return .again
    }

    /// Records that a packet begins with the first available byte.
    mutating func found(_ core: StreamCore) {
        report(core)
        restart()
        isGapExpected = false
    }

    /// Ends the stream, whose last bytes are too few for a packet.
    mutating func end(_ core: StreamCore) -> StreamStep {
        note(core, bytes: core.queue.count)
        core.queue.skip(Int64(core.queue.count))
        if core.facts.isReady { report(core) }
        restart()
        return .needs(1)
    }

    /// Ends the stream inside a packet.
    ///
    /// - Parameter bytes: The number of available bytes of the packet.
    mutating func endInside(packetOf length: Int, bytes: Int, _ core: StreamCore) {
        core.facts.warnings.append(
            DamageWords.cutShort(at: core.queue.offset, bytes: Int64(bytes), of: length))
        core.queue.skip(Int64(bytes))
    }

    /// Accepts that the next bytes begin at any offset.
    mutating func expectGap() {
        restart()
        isGapExpected = true
    }

    private mutating func note(_ core: StreamCore, bytes: Int) {
        let passed = unsafe UnsafeRawBufferPointer(rebasing: core.queue.bytes[..<bytes])
        isZero = unsafe isZero && passed.allSatisfy { $0 == 0 }
        unsafe firstBytes.append(contentsOf: passed.prefix(StreamTag.markBytes - firstBytes.count))
        unsafe footer.search(passed)
        garbageBytes += Int64(bytes)
    }

    private mutating func restart() {
        (garbageBytes, isZero, firstBytes, footer) = (0, true, [], StreamTag.FooterSearch())
    }

    private func report(_ core: StreamCore) {
        guard garbageBytes > 0, !isZero, !isGapExpected else { return }
        // A tag at the end may have its marker after it.
        guard !StreamTag.begins(firstBytes), !footer.isFound else { return }
        core.facts.warnings.append(
            DamageWords.foreign(
                garbageBytes, at: core.queue.offset - garbageBytes,
                "before packet \(core.facts.deliveredPackets)", no: what))
    }

    /// The estimated offset of a packet, from all frames so far.
    func estimate(packet: Int64, framedBytes: Int64, frames: Int64) -> StreamPosition? {
        guard packet > 0 else { return StreamPosition(byteOffset: 0, isEstimated: false) }
        guard frames > 0 else { return nil }
        let offset = Double(packet) * Double(framedBytes) / Double(frames)
        return offset < 1e15 ? StreamPosition(byteOffset: Int64(offset), isEstimated: true) : nil
    }

    /// The number of bytes searched for a packet before the stream counts as ended.
    private static let mostBytes: Int64 = 1 << 20
    /// The first byte of the tags that may be between packets.
    private static let tagMark = UInt8(ascii: "I")
}
