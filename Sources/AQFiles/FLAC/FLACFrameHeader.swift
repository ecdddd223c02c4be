// SPDX-License-Identifier: MIT

/// The header of a FLAC frame (RFC 9639, 9.1).
struct FLACFrameHeader {
    /// The number of the first sample in the stream.
    let firstSample: Int64
    let frames: Int64
    /// Whether the stream's frames vary in length. Headers then number samples, not frames.
    let isVariable: Bool

    /// Reads a header; nil if the bytes are not a header of the stream, or if the checksum is wrong.
    init?(_ bytes: UnsafeRawBufferPointer, in info: FLACStreamInfo) {
        guard bytes.count >= 6, unsafe bytes[0] == 0xFF, unsafe bytes[1] & 0xFE == 0xF8 else { return nil }
        let (rate, channels, bits) = unsafe (bytes[2] & 0x0F, Int(bytes[3] >> 4), Int(bytes[3] >> 1 & 0x07))
        let lead = unsafe bytes[4]
        let numberBytes = lead < 0x80 ? 1 : (~lead).leadingZeroBitCount
        guard rate != 15, channels <= 10, (channels < 8 ? channels + 1 : 2) == info.channels,
            bits == 0 || Self.depths[bits] == info.bits, unsafe bytes[3] & 1 == 0,
            lead < 0x80 || 2...7 ~= numberBytes,
            let frames = unsafe Self.blockFrames(bytes), frames <= info.mostFramesPerBlock
        else { return nil }
        let sizeBytes = unsafe bytes[2] >> 4 == 6 ? 1 : bytes[2] >> 4 == 7 ? 2 : 0
        let rateBytes = rate == 12 ? 1 : rate > 12 ? 2 : 0
        let end = 4 + numberBytes + sizeBytes + rateBytes
        guard end < bytes.count else { return nil }
        var number = Int64(lead & (numberBytes == 1 ? 0x7F : 0xFF >> UInt8(numberBytes + 1)))
        for offset in 5..<max(4 + numberBytes, 5) {
            guard unsafe bytes[offset] & 0xC0 == 0x80 else { return nil }
            number = unsafe number << 6 | Int64(bytes[offset] & 0x3F)
        }
        guard unsafe FLACChecksum.short(UnsafeRawBufferPointer(rebasing: bytes[..<end])) == bytes[end] else {
            return nil
        }
        isVariable = unsafe bytes[1] & 1 != 0
        firstSample = isVariable ? number : number * info.mostFramesPerBlock
        self.frames = frames
    }

    /// Returns the number of PCM frames in a FLAC frame; nil if its header is invalid (RFC 9639, 9.1).
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
            let offset = 4 + numberBytes
            guard numberBytes <= 7, frame.count > offset + 1 else { return nil }
            let high = unsafe Int64(frame[offset])
            return code == 6 ? high + 1 : unsafe (high << 8 | Int64(frame[offset + 1])) + 1
        default: return nil
        }
    }

    /// Returns the rate in a header; nil if the header refers to STREAMINFO, or is invalid.
    static func sampleRate(_ frame: UnsafeRawBufferPointer) -> Int? {
        guard frame.count >= mostBytes else { return nil }
        let code = unsafe Int(frame[2] & 0x0F)
        guard code >= 12 else { return rates[code] }
        let lead = unsafe frame[4]
        let numberBytes = lead < 0x80 ? 1 : (~lead).leadingZeroBitCount
        guard numberBytes <= 7 else { return nil }
        let sizeCode = unsafe frame[2] >> 4
        let offset = 4 + numberBytes + (sizeCode == 6 ? 1 : sizeCode == 7 ? 2 : 0)
        let high = unsafe Int(frame[offset])
        let both = unsafe high << 8 | Int(frame[offset + 1])
        let rate = [high * 1000, both, both * 10, 0][code - 12]
        return rate > 0 ? rate : nil
    }

    /// The bits per sample by code; 0 means the stream's value, -1 is reserved.
    static let depths = [0, 8, 12, -1, 16, 20, 24, 32]
    /// The rates by code; nil means the stream's value.
    private static let rates: [Int?] = [
        nil, 88_200, 176_400, 192_000, 8000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000,
    ]
    static let mostBytes = 16
}
