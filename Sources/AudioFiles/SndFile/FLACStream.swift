/// Counts the frames of a FLAC stream (RFC 9639) as they are written.
///
/// The encoder leaves the number of samples in STREAMINFO at 0, which is "unknown", until it is closed.
struct FLACStream: EncodedStream {
    /// The most frames that the 36 bits of STREAMINFO count.
    static let maximumFrameCount: Int64 = 1 << 36 - 1

    private var end = StreamMark()
    /// The first bytes: the mark, and STREAMINFO up to the number of samples.
    private var head: [UInt8] = []
    /// Bytes of metadata still to come, and whether they belong to the last block of it.
    private var blockBytes = 4
    private var blockHeader: [UInt8] = []
    private var isLastBlock = false
    private var isInMetadata = true
    /// False once something was written that is no frame: the count stays where it was.
    private var isUnderstood = true

    let isTooLongForEncoder = false

    mutating func take(_ bytes: UnsafeRawBufferPointer, marks: inout [StreamMark]) {
        guard isUnderstood, bytes.count > 0 else { return }
        if isInMetadata {
            unsafe takeMetadata(bytes)
            guard isUnderstood, !isInMetadata else { return }
        } else {
            // libFLAC calls back once for each frame.
            guard let frames = unsafe Self.blockFrames(bytes) else {
                isUnderstood = false
                return
            }
            end.bytes += Int64(bytes.count)
            end.packets += 1
            end.frames += frames
        }
        marks.append(end)
    }

    /// The number of samples in STREAMINFO, which begins four bits into its byte.
    func header(upTo mark: StreamMark?, ofFrames frames: Int64) -> StreamPatch? {
        guard let mark, head.count == Self.headBytes, 0...Self.maximumFrameCount ~= mark.frames else {
            return nil
        }
        var bytes = [head[Self.sampleCountOffset] & 0xF0 | UInt8(truncatingIfNeeded: mark.frames >> 32)]
        for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: mark.frames >> shift)) }
        return StreamPatch(offset: Int64(Self.sampleCountOffset), bytes: bytes)
    }

    /// Walks the metadata blocks, however they are cut into writes, to where the first frame begins.
    private mutating func takeMetadata(_ bytes: UnsafeRawBufferPointer) {
        for place in 0..<bytes.count {
            let byte = unsafe bytes[place]
            guard isInMetadata else {
                isUnderstood = false
                return
            }
            if head.count < Self.headBytes { head.append(byte) }
            end.bytes += 1
            if blockBytes > 0 {
                blockBytes -= 1
            } else {
                blockHeader.append(byte)
                guard blockHeader.count == 4 else { continue }
                isLastBlock = blockHeader[0] & 0x80 != 0
                blockBytes = blockHeader.dropFirst().reduce(0) { $0 << 8 | Int($1) }
                blockHeader = []
            }
            if blockBytes == 0, isLastBlock { isInMetadata = false }
        }
    }

    /// Frames of PCM that a FLAC frame holds; nil if its header is none (RFC 9639, 9.1).
    static func blockFrames(_ frame: UnsafeRawBufferPointer) -> Int64? {
        // The coded number behind the first four bytes takes one to seven.
        guard frame.count >= 6, unsafe frame[0] == 0xFF, unsafe frame[1] & 0xFC == 0xF8 else { return nil }
        let code = unsafe frame[2] >> 4
        switch code {
        case 1: return 192
        case 2...5: return 576 << Int64(code - 2)
        case 8...15: return 256 << Int64(code - 8)
        case 6, 7:
            let lead = unsafe frame[4]
            let numberBytes = lead < 0x80 ? 1 : (~lead).leadingZeroBitCount
            let place = 4 + numberBytes
            guard numberBytes <= 7, frame.count > place + 1 else { return nil }
            let high = unsafe Int64(frame[place])
            return code == 6 ? high + 1 : unsafe (high << 8 | Int64(frame[place + 1])) + 1
        default: return nil
        }
    }

    /// Where in the file the byte is whose low half begins the number of samples.
    private static let sampleCountOffset = 21
    private static let headBytes = sampleCountOffset + 5
}
