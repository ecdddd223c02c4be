/// Counts the frames of a FLAC stream (RFC 9639) as they are written.
///
/// The encoder leaves the number of samples in STREAMINFO at 0 ("unknown") until it is closed.
struct FLACStream: EncodedStream {
    /// The most frames that the 36-bit field of STREAMINFO can count.
    static let maximumFrameCount: Int64 = 1 << 36 - 1

    private var end = StreamMark()
    /// The first bytes: the marker, and STREAMINFO up to the number of samples.
    private var head: [UInt8] = []
    /// The remaining bytes of metadata, and whether they belong to its last block.
    private var blockBytes = 4
    private var blockHeader: [UInt8] = []
    private var isLastBlock = false
    private var isInMetadata = true
    /// False after output that is not a frame; the count then no longer changes.
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

    /// Sets the number of samples in STREAMINFO, which begins four bits into its byte.
    func header(upTo mark: StreamMark?, ofFrames frames: Int64) -> StreamPatch? {
        guard let mark, head.count == Self.headBytes, 0...Self.maximumFrameCount ~= mark.frames else {
            return nil
        }
        var bytes = [head[Self.sampleCountOffset] & 0xF0 | UInt8(truncatingIfNeeded: mark.frames >> 32)]
        for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: mark.frames >> shift)) }
        return StreamPatch(offset: Int64(Self.sampleCountOffset), bytes: bytes)
    }

    /// Reads the metadata blocks, however they are divided into writes, up to the first frame.
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

    /// The PCM frames in a FLAC frame; nil if its header is invalid (RFC 9639, 9.1).
    static func blockFrames(_ frame: UnsafeRawBufferPointer) -> Int64? {
        // The coded number after the first four bytes has one to seven bytes.
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

    /// The offset in the file of the byte whose low half begins the number of samples.
    private static let sampleCountOffset = 21
    private static let headBytes = sampleCountOffset + 5
}
