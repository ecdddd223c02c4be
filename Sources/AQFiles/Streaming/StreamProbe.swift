// SPDX-License-Identifier: MIT

import CoreAudioTypes
import AQMagicCookies

#if HAVE_MPEG_AUDIO
import AQMPEGAudio
#endif

/// The search for the start of a stream that has packets and no header, in files and in streams.
struct StreamProbe {
    enum Kind {
        case adts, mpegAudio
        /// AAC in LATM packets with sync words.
        case loas
    }

    enum Answer: Equatable {
        case found(Kind, offset: Int)
        /// The number of bytes needed to decide.
        case needs(Int)
        case nothing
    }

    private var offset = 0

    /// The largest number of bytes searched for the start.
    static let mostBytes = 1 << 20
    /// The number of additional bytes that show whether further packets follow a packet.
    static let mostLookAhead = 64 << 10

    /// Continues the search.
    ///
    /// - Parameters:
    ///   - bytes: All available bytes from the expected start of the stream.
    ///   - isEnd: Whether no more bytes follow.
    mutating func search(_ bytes: UnsafeRawBufferPointer, isEnd: Bool) -> Answer {
        while offset < min(bytes.count, Self.mostBytes) {
            let kinds: [(Kind, PacketChain.Verdict)]
            switch unsafe bytes[offset] {
            case 0xFF:
                kinds = unsafe [
                    (
                        .adts,
                        ADTSFramer.beginning(in: bytes, from: offset, isExpected: offset == 0, isEnd: isEnd)
                    ),
                    (.mpegAudio, mpegVerdict(bytes, isEnd: isEnd)),
                ]
            case 0x56: kinds = unsafe [(.loas, loasVerdict(bytes, isEnd: isEnd))]
            default: kinds = []
            }
            for (kind, verdict) in kinds {
                switch verdict {
                case .stream: return .found(kind, offset: offset)
                case .needs(let count): return .needs(count)
                case .chance: break
                }
            }
            let next = unsafe bytes[(offset + 1)...].firstIndex { $0 == 0xFF || $0 == 0x56 }
            offset = next ?? bytes.count
        }
        return isEnd || offset >= Self.mostBytes ? .nothing : .needs(bytes.count + 1)
    }

    private func mpegVerdict(_ bytes: UnsafeRawBufferPointer, isEnd: Bool) -> PacketChain.Verdict {
        #if HAVE_MPEG_AUDIO
        return unsafe MPEGFrameScan.beginning(in: bytes, from: offset, isExpected: offset == 0, isEnd: isEnd)
        #else
        return .chance
        #endif
    }

    /// Decides whether `AudioSyncStream()` of ISO/IEC 14496-3, 1.7.2, begins: eleven sync bits, and a length in
    /// thirteen.
    private func loasVerdict(_ bytes: UnsafeRawBufferPointer, isEnd: Bool) -> PacketChain.Verdict {
        PacketChain(isExpected: offset == 0).verdict(
            from: offset, count: bytes.count, isEnd: isEnd, headerBytes: 3,
            length: { position in
                guard position + 3 <= bytes.count, unsafe bytes[position] == 0x56,
                    unsafe bytes[position + 1] & 0xE0 == 0xE0
                else { return nil }
                return unsafe 3 + (Int(bytes[position + 1] & 0x1F) << 8 | Int(bytes[position + 2]))
            }, isTag: { _ in false })
    }
}

extension StreamProbe {
    /// Searches a file; nil if no stream is found.
    ///
    /// - Parameters:
    ///   - start: The expected start of the stream.
    ///   - end: The maximum end of the stream.
    static func search(
        _ file: OpenFile, from start: Int64, to end: Int64
    ) throws(AudioFileError) -> (kind: Kind, byteOffset: Int64)? {
        var probe = StreamProbe()
        // Most files begin with a packet.
        for size in [16 << 10, mostLookAhead, mostBytes + mostLookAhead] {
            let count = Int(min(Int64(size), max(end - start, 0)))
            let bytes = try file.read(at: start, count: count)
            let isEnd = start + Int64(bytes.count) >= end || bytes.count < count
            let answer = unsafe bytes.withUnsafeBytes { unsafe probe.search($0, isEnd: isEnd) }
            switch answer {
            case .found(let kind, let offset): return (kind, start + Int64(offset))
            case .nothing: return nil
            case .needs: break
            }
        }
        return nil
    }

    /// The available bytes and the size of the packet at an offset, if the file ends inside it; otherwise nil.
    static func cutPacket(
        _ file: OpenFile, from start: Int64, to end: Int64
    ) throws(AudioFileError) -> (bytes: Int64, of: Int)? {
        let head = try file.read(at: start, count: ADTSHeader.leastBytes)
        var length = ADTSHeader(bytes: head)?.frameBytes
        #if HAVE_MPEG_AUDIO
        if length == nil {
            length = unsafe head.withUnsafeBytes { unsafe MPEGFrameHeader($0.bytes)?.packetBytes }
        }
        #endif
        guard let length, Int64(length) > end - start else { return nil }
        return (end - start, length)
    }
}
