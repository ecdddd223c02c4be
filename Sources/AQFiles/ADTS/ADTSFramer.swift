// SPDX-License-Identifier: MIT

import CoreAudioTypes
import AQMagicCookies

/// A packet of an ADTS stream with its header.
struct ADTSFrame {
    /// The offset of the header in the file.
    var byteOffset: Int64
    var header: ADTSHeader
    /// The number of bytes between the previous frame and this one, which belong to no frame.
    var skippedBytes: Int64

    var packetBytes: Int { header.frameBytes - header.headerBytes }
}

/// A framer that finds the packets of an ADTS stream in order.
final class ADTSFramer {
    let window: ByteWindow
    /// The header of the first frame, which defines the stream's format.
    let firstHeader: ADTSHeader
    /// The offset of the first frame.
    let streamByteOffset: Int64
    /// The end of the last frame, where the search for the next frame starts.
    private(set) var byteOffset: Int64
    /// Whether ``next()`` has returned nil.
    private(set) var isAtEnd = false

    private var pending: ADTSFrame?

    /// Finds the first packet.
    ///
    /// - Parameter byteOffset: The offset to start at, after any tag.
    /// - Throws: `unrecognised` if there is no packet, `damaged` if there is only part of one, `unreadable`.
    init(window: ByteWindow, from byteOffset: Int64) throws(AudioFileError) {
        self.window = window
        guard let first = Self.search(window, from: byteOffset, like: nil) else {
            try window.checkFailure()
            let shown = unsafe window.bytes(at: byteOffset, leastBytes: ADTSHeader.maximumFrameBytes)
            guard let header = unsafe ADTSHeader(bytes: shown), shown.count < header.frameBytes else {
                throw AudioFileError(.unrecognised, "no packet of AAC was found")
            }
            throw AudioFileError(
                .damaged, "its only packet is cut short: \(shown.count) bytes of \(header.frameBytes)")
        }
        firstHeader = first.header
        streamByteOffset = first.byteOffset
        pending = first
        self.byteOffset = first.byteOffset
    }

    /// Finds the next packet; nil at the end of the stream.
    ///
    /// - Throws: `unreadable` if the system fails.
    func next() throws(AudioFileError) -> ADTSFrame? {
        guard !isAtEnd else { return nil }
        guard let found = pending ?? step() ?? Self.search(window, from: byteOffset, like: firstHeader) else {
            isAtEnd = true
            try window.checkFailure()
            return nil
        }
        pending = nil
        byteOffset = found.byteOffset + Int64(found.header.frameBytes)
        return found
    }

    /// The frame directly after the last one; nil if that frame is incomplete or of another stream.
    private func step() -> ADTSFrame? {
        let shown = unsafe window.bytes(at: byteOffset, leastBytes: ADTSHeader.leastBytes)
        guard let header = unsafe ADTSHeader(bytes: shown), header.isSameStream(as: firstHeader),
            unsafe window.bytes(at: byteOffset, leastBytes: header.frameBytes).count >= header.frameBytes
        else { return nil }
        return ADTSFrame(byteOffset: byteOffset, header: header, skippedBytes: 0)
    }

    /// The number of bytes searched for a frame before the stream counts as ended.
    static let resyncBytes: Int64 = 1 << 20

    /// Finds the first complete frame from `start` on that is probably real: twelve sync bits occur by chance in any 4
    /// KB.
    ///
    /// The first frame of the stream must begin a chain; a later frame must be followed by a similar frame, or by the
    /// end. Directly after another frame any header may follow, because the stream may change repeatedly.
    private static func search(
        _ window: ByteWindow, from start: Int64, like known: ADTSHeader?
    ) -> ADTSFrame? {
        var offset = start
        while offset - start <= resyncBytes {
            let shown = unsafe window.bytes(at: offset, leastBytes: ADTSHeader.leastBytes)
            guard shown.count >= ADTSHeader.leastBytes else { return nil }
            guard let position = unsafe shown.firstIndex(of: 0xFF) else {
                offset += Int64(shown.count)
                continue
            }
            offset += Int64(position)
            if let header = unsafe ADTSHeader(
                bytes: window.bytes(at: offset, leastBytes: ADTSHeader.leastBytes)),
                known.map({ isResumption(header, at: offset, in: window, like: $0, isNext: offset == start) })
                    ?? isBeginning(at: offset, in: window, isExpected: offset == start)
            {
                return ADTSFrame(byteOffset: offset, header: header, skippedBytes: offset - start)
            }
            offset += 1
        }
        return nil
    }

    private static func isBeginning(at offset: Int64, in window: ByteWindow, isExpected: Bool) -> Bool {
        var wanted = ADTSHeader.leastBytes
        while true {
            let shown = unsafe window.bytes(at: offset, leastBytes: wanted)
            let isEnd = shown.count < wanted
            switch unsafe beginning(in: shown, from: 0, isExpected: isExpected, isEnd: isEnd) {
            case .stream: return true
            case .chance: return false
            case .needs(let count): wanted = count
            }
        }
    }

    /// Decides whether a stream begins at an offset.
    ///
    /// - Parameter isExpected: True if only tags come before it.
    static func beginning(
        in bytes: UnsafeRawBufferPointer, from start: Int, isExpected: Bool, isEnd: Bool
    ) -> PacketChain.Verdict {
        func header(at position: Int) -> ADTSHeader? {
            guard position < bytes.count else { return nil }
            return unsafe ADTSHeader(bytes: UnsafeRawBufferPointer(rebasing: bytes[position...]))
        }
        guard bytes.count - start >= ADTSHeader.leastBytes || isEnd else {
            return .needs(start + ADTSHeader.leastBytes)
        }
        guard let first = header(at: start),
            unsafe !PacketChain.holdsItsHeader(
                bytes, from: start, packetBytes: first.frameBytes, headerBytes: ADTSHeader.leastBytes)
        else { return .chance }
        return PacketChain(isExpected: isExpected).verdict(
            from: start, count: bytes.count, isEnd: isEnd, headerBytes: StreamTag.markBytes,
            length: { position in
                header(at: position).flatMap { $0.isSameStream(as: first) ? $0.frameBytes : nil }
            },
            isTag: { unsafe StreamTag.begins(UnsafeRawBufferPointer(rebasing: bytes[$0...])) })
    }

    private static func isResumption(
        _ header: ADTSHeader, at offset: Int64, in window: ByteWindow, like known: ADTSHeader, isNext: Bool
    ) -> Bool {
        let shown = unsafe window.bytes(at: offset, leastBytes: header.frameBytes + ADTSHeader.leastBytes)
        return unsafe isResumption(header, in: shown, like: known, isNext: isNext)
    }

    /// Returns whether a frame at an unexpected offset belongs to a stream: a similar frame must follow, or the end.
    ///
    /// - Parameters:
    ///   - bytes: The frame, and the header after it if the stream continues.
    ///   - isNext: Whether the frame directly follows other frames; any frame may then follow.
    static func isResumption(
        _ header: ADTSHeader, in bytes: UnsafeRawBufferPointer, like known: ADTSHeader, isNext: Bool = false
    ) -> Bool {
        guard bytes.count >= header.frameBytes else { return false }
        let after = unsafe UnsafeRawBufferPointer(rebasing: bytes[header.frameBytes...])
        if let next = unsafe ADTSHeader(bytes: after) {
            return isNext || next.isSameStream(as: header) || next.isSameStream(as: known)
        }
        return unsafe header.isSameStream(as: known) && (after.isEmpty || StreamTag.begins(after))
    }
}

extension ByteWindow {
    /// Throws `unreadable` if a read has failed.
    func checkFailure() throws(AudioFileError) {
        guard let failure else { return }
        throw AudioFileError(
            .unreadable,
            "byte \(failure.byteOffset) cannot be read: \(OpenFile.failure(failure.errorNumber).message)")
    }
}
