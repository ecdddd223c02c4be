// SPDX-License-Identifier: MIT

package import CoreAudioTypes

/// A scan for the frames of an MPEG audio stream among other bytes.
///
/// The first frame begins a chain of frames, each at the end of the frame before. A later frame either has the stream's
/// version, layer and rate and begins at the end of the frame before, or is followed by a frame with the same values,
/// which may differ from the stream's. If they are the stream's, a tag or the end may follow instead.
public struct MPEGFrameScan: Sendable {
    /// The result of a scan: the data at the beginning of the available bytes.
    public enum Answer: Equatable, Sendable {
        /// A whole frame.
        case frame(MPEGFrameHeader, bytes: Int)
        /// The last frame of the stream, of which only `bytes` are present.
        case cut(bytes: Int, of: Int)
        /// An ID3v2 tag, whose bytes may be unavailable.
        case tag(bytes: Int64)
        /// Bytes that do not belong to the stream.
        case other
        /// The number of bytes necessary to decide. If the stream has ended, too few bytes are left for a frame or a
        /// tag.
        case needs(Int)
    }

    /// The header of the last frame that changed version, layer or rate; nil before the first frame.
    public private(set) var current: MPEGFrameHeader?
    /// The size of a free-format frame without its padding; nil before it is measured.
    private var freeFormatBytes: Int?
    /// Whether the next frame begins at the end of the last one.
    private var isInStep = false
    /// Whether only tags precede the next bytes.
    private var isAtBeginning = true

    /// Makes a scan at the beginning of a stream.
    public init() {}

    /// Marks a discontinuity: the next bytes do not follow the last ones.
    public mutating func passGap() { (isInStep, isAtBeginning) = (false, false) }

    /// Classifies the data at the beginning of `bytes`.
    ///
    /// Before the next call, the caller must skip the data found, and `other` bytes up to ``nextCandidate(in:)``.
    ///
    /// - Parameter isEnd: True if no bytes follow these.
    public mutating func next(in bytes: UnsafeRawBufferPointer, isEnd: Bool) -> Answer {
        guard bytes.count >= Self.tagHeaderBytes || isEnd else { return .needs(Self.tagHeaderBytes) }
        guard bytes.count >= Self.headerBytes else { return .needs(Self.headerBytes) }
        if let tagBytes = unsafe StreamTag.id3Bytes(bytes) { return .tag(bytes: tagBytes) }
        let answer = unsafe frame(in: bytes, isEnd: isEnd)
        switch answer {
        case .frame(let header, _):
            isInStep = true
            isAtBeginning = false
            if current.map({ !header.isCompatible(with: $0) }) ?? true { current = header }
        case .other: passGap()
        case .cut, .tag, .needs: break
        }
        return answer
    }

    /// Returns the offset, from 1 on, of the first byte that may begin a frame or a tag; nil if there is none.
    public static func nextCandidate(in bytes: UnsafeRawBufferPointer) -> Int? {
        unsafe bytes.dropFirst().firstIndex { $0 == 0xFF || $0 == UInt8(ascii: "I") }
    }

    private mutating func frame(in bytes: UnsafeRawBufferPointer, isEnd: Bool) -> Answer {
        guard let header = unsafe MPEGFrameHeader(bytes.bytes) else { return .other }
        let isOfStream = current.map(header.isCompatible) ?? false
        let isNext = isInStep && isOfStream
        if header.isFreeFormat, freeFormatBytes == nil || !isNext {
            guard bytes.count >= Self.longestFreeFormat || isEnd else {
                return .needs(Self.longestFreeFormat)
            }
            freeFormatBytes = unsafe Self.measure(bytes, from: 0, like: header)
        }
        guard let length = header.packetBytes ?? freeFormatBytes.map({ $0 + header.paddingBytes }) else {
            return .other
        }
        if isNext { return unsafe nextFrame(header, length, in: bytes, isEnd: isEnd) }
        let verdict =
            current == nil
            ? unsafe Self.beginning(in: bytes, from: 0, isExpected: isAtBeginning, isEnd: isEnd)
            : unsafe resumption(header, length, in: bytes, isEnd: isEnd)
        switch verdict {
        case .needs(let count): return .needs(count)
        case .chance: return .other
        case .stream:
            return bytes.count >= length ? .frame(header, bytes: length) : .needs(length)
        }
    }

    /// Classifies a frame that follows the last one. A tag within the last frame of the stream cuts the frame.
    private func nextFrame(
        _ header: MPEGFrameHeader, _ length: Int, in bytes: UnsafeRawBufferPointer, isEnd: Bool
    ) -> Answer {
        guard bytes.count >= length || isEnd else { return .needs(length) }
        let shown = min(bytes.count, length)
        let after = unsafe UnsafeRawBufferPointer(rebasing: bytes[shown...])
        if let next = unsafe MPEGFrameHeader(after.bytes), next.isCompatible(with: header) {
            return .frame(header, bytes: length)
        }
        switch unsafe StreamTag.position(in: bytes, before: shown, isEnd: isEnd) {
        // Bytes that resemble a tag belong to the packet if another packet follows.
        case .offset where after.count < Self.headerBytes && !isEnd: return .needs(length + Self.headerBytes)
        case .offset(let position): return .cut(bytes: position, of: length)
        case .needs(let count): return .needs(count)
        case .none: break
        }
        return bytes.count >= length ? .frame(header, bytes: length) : .cut(bytes: bytes.count, of: length)
    }

    /// Decides whether the stream resumes after an interruption. Bytes that only resemble a frame are not followed by
    /// another frame.
    private func resumption(
        _ header: MPEGFrameHeader, _ length: Int, in bytes: UnsafeRawBufferPointer, isEnd: Bool
    ) -> PacketChain.Verdict {
        let wanted = length + StreamTag.markBytes
        guard bytes.count >= wanted || isEnd else { return .needs(wanted) }
        guard bytes.count >= length else { return .chance }
        let after = unsafe UnsafeRawBufferPointer(rebasing: bytes[length...])
        if let next = unsafe MPEGFrameHeader(after.bytes) {
            return next.isCompatible(with: header) ? .stream : .chance
        }
        let isOfStream = current.map(header.isCompatible) ?? true
        return unsafe isOfStream && (after.isEmpty || StreamTag.begins(after)) ? .stream : .chance
    }

    /// Decides whether a stream begins at an offset.
    ///
    /// - Parameter isExpected: True if only tags precede it.
    package static func beginning(
        in bytes: UnsafeRawBufferPointer, from start: Int, isExpected: Bool, isEnd: Bool
    ) -> PacketChain.Verdict {
        func header(at position: Int) -> MPEGFrameHeader? {
            guard position < bytes.count else { return nil }
            return unsafe MPEGFrameHeader(UnsafeRawBufferPointer(rebasing: bytes[position...]).bytes)
        }
        guard let first = header(at: start) else {
            return bytes.count - start >= headerBytes || isEnd ? .chance : .needs(start + headerBytes)
        }
        var chain = PacketChain(isExpected: isExpected)
        var freeFormatBytes = 0
        if first.isFreeFormat {
            guard bytes.count - start >= longestFreeFormat || isEnd else {
                return .needs(start + longestFreeFormat)
            }
            guard let measured = unsafe measure(bytes, from: start, like: first) else { return .chance }
            freeFormatBytes = measured
            // The second header fits by the choice of the distance, so more headers must follow.
            chain.headers = freeFormatHeaders
            chain.packetsBeforeEnd = 2
            chain.packetsBeforeDamage = nil
            guard unsafe !isPeriod(bytes, from: start, packetBytes: measured) else { return .chance }
        } else if unsafe PacketChain.holdsItsHeader(
            bytes, from: start, packetBytes: first.packetBytes ?? 0, headerBytes: headerBytes)
        {
            return .chance
        }
        return chain.verdict(
            from: start, count: bytes.count, isEnd: isEnd, headerBytes: StreamTag.markBytes,
            length: { position in
                guard let header = header(at: position), header.isCompatible(with: first),
                    header.isFreeFormat == first.isFreeFormat, header.channels == first.channels
                else { return nil }
                return header.packetBytes ?? freeFormatBytes + header.paddingBytes
            },
            isTag: { unsafe StreamTag.begins(UnsafeRawBufferPointer(rebasing: bytes[$0...])) })
    }

    /// Returns whether a frame is repeated and is not mostly of one value, as silence is. Such bytes are samples of a
    /// periodic wave.
    private static func isPeriod(
        _ bytes: UnsafeRawBufferPointer, from start: Int, packetBytes: Int
    ) -> Bool {
        let second = start + packetBytes
        guard second + packetBytes <= bytes.count, packetBytes > headerBytes,
            unsafe bytes[start..<second].elementsEqual(bytes[second..<second + packetBytes])
        else { return false }
        let last = unsafe bytes[second - 1]
        return unsafe bytes[start..<second].count { $0 == last } < packetBytes / 2
    }

    /// The distance to the next free-format header in bytes, less the padding; nil if none is near.
    private static func measure(
        _ bytes: UnsafeRawBufferPointer, from start: Int, like header: MPEGFrameHeader
    ) -> Int? {
        // A frame without the padding still has its header; a length of 0 would never advance.
        let least = headerBytes + leastBodyBytes(header) + header.paddingBytes
        let end = min(bytes.count - start, longestFreeFormat) - headerBytes
        guard least <= end else { return nil }
        for distance in least...end where unsafe bytes[start + distance] == 0xFF {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[(start + distance)...])
            if let next = unsafe MPEGFrameHeader(rest.bytes), next.isFreeFormat,
                next.isCompatible(with: header),
                next.channels == header.channels
            {
                return distance - header.paddingBytes
            }
        }
        return nil
    }

    /// Returns the smallest body of a free-format frame in bytes: the side information, or the bit allocation of one
    /// channel.
    private static func leastBodyBytes(_ header: MPEGFrameHeader) -> Int {
        switch header.layer {
        case 1: 16
        case 2: 11
        default: header.sideInformationBytes
        }
    }

    private static let headerBytes = 4
    private static let tagHeaderBytes = 10
    /// The size of the longest frame that libmpg123 accepts and of the header after it, in bytes.
    private static let longestFreeFormat = 3456 + 4
    private static let freeFormatHeaders = 12
}
