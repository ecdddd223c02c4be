#if HAVE_MPEG_AUDIO
import MPEGAudio

/// Counts the packets of an MP3 stream as they are written.
///
/// LAME leaves its first packet empty for a tag with the length, the priming and a table of contents, which it writes
/// at the end. Until then the packet has our own tag.
struct MP3Stream: EncodedStream {
    private let tag: MP3TagWriter
    private var end = StreamMark()
    /// Nil before the first packet is complete; false if it contained audio, so that it cannot have a tag.
    private var isTagged: Bool?
    private var firstPacket: [UInt8] = []
    /// The received part of the current packet's header, and the remaining bytes of the packet.
    private var headerBytes: [UInt8] = []
    private var missingBytes = 0
    private var packetBytes = 0
    private var samplesPerFrame: Int64 = 0
    /// False after output that is not a packet; the count then no longer changes.
    private var isUnderstood = true

    /// - Parameter coding: The bit rate mode set in LAME.
    init(coding: MP3TagWriter.Coding) {
        tag = MP3TagWriter(coding: coding)
    }

    /// LAME counts bytes in 32 bits, without checking for overflow.
    var isTooLongForEncoder: Bool { end.bytes > Int64(UInt32.max) }

    mutating func take(_ bytes: UnsafeRawBufferPointer, marks: inout [StreamMark]) {
        var place = 0
        // A write may end anywhere in a packet, because the reservoir holds back bytes.
        while isUnderstood, place < bytes.count {
            if missingBytes == 0 {
                unsafe headerBytes.append(bytes[place])
                place += 1
                if headerBytes.count == 4 { beginPacket() }
                continue
            }
            let count = min(missingBytes, bytes.count - place)
            if isTagged == nil {
                unsafe firstPacket.append(
                    contentsOf: UnsafeRawBufferPointer(rebasing: bytes[place..<place + count]))
            }
            place += count
            missingBytes -= count
            if missingBytes == 0 { endPacket(marks: &marks) }
        }
    }

    func header(upTo mark: StreamMark?, ofFrames frames: Int64) -> StreamPatch? {
        guard isTagged == true else { return nil }
        var padding: Int64 = 0
        if let mark {
            let decodedFrames = mark.packets * samplesPerFrame
            padding = decodedFrames - MP3TagWriter.delayFrames - min(mark.frames, frames)
        }
        return StreamPatch(
            offset: 0, bytes: tag.packet(replacing: firstPacket, mark: mark, paddingFrames: padding))
    }

    private mutating func beginPacket() {
        let bits = headerBytes.reduce(0) { $0 << 8 | UInt32($1) }
        guard let header = MPEGFrameHeader(bits: bits), let bytes = header.packetBytes, bytes > 4 else {
            isUnderstood = false
            return
        }
        if isTagged == nil { firstPacket = headerBytes }
        headerBytes = []
        packetBytes = bytes
        missingBytes = bytes - 4
        samplesPerFrame = Int64(header.samplesPerFrame)
    }

    private mutating func endPacket(marks: inout [StreamMark]) {
        if isTagged == nil {
            isTagged = tag.fits(firstPacket)
            if isTagged == false { end.packets += 1 }
        } else {
            end.packets += 1
        }
        end.bytes += Int64(packetBytes)
        // The filterbank delays each frame of audio by this much.
        end.frames = max(end.packets * samplesPerFrame - MP3TagWriter.lagFrames, 0)
        marks.append(end)
    }
}
#endif
