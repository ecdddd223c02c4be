// SPDX-License-Identifier: MIT

import CAQFLAC

/// The metadata before the frames of a new FLAC file (RFC 9639, 8).
enum FLACHeader {
    /// The largest number of frames in the 36-bit field of STREAMINFO.
    static let maximumFrameCount: Int64 = 1 << 36 - 1
    /// The offset of the contents of STREAMINFO in the file.
    static let streamInfoOffset: Int64 = 8

    /// Makes the marker and all blocks.
    ///
    /// - Parameters:
    ///   - frames: The number of frames; 0 if unknown.
    ///   - vendor: The encoder's name for comments.
    /// - Throws: `unsupported` if the metadata does not fit a block.
    static func bytes(
        _ info: FLAC__StreamMetadata_StreamInfo, frames: Int64, vendor: String, _ metadata: FileMetadata
    ) throws(AudioFileError) -> [UInt8] {
        var blocks: [(type: UInt8, contents: [UInt8])] = [
            (0, streamInfo(info, frames: frames)),
            (FLACBlocks.comments, VorbisComments.bytes(of: metadata.information, vendor: Array(vendor.utf8))),
        ]
        if let artwork = metadata.artwork {
            blocks.append((FLACBlocks.picture, FLACPicture.bytes(of: artwork)))
        }
        var bytes = HeaderBytes()
        bytes.append("fLaC")
        for (number, block) in blocks.enumerated() {
            guard block.contents.count < 1 << 24 else {
                throw AudioFileError(
                    .unsupported, "\(block.contents.count) bytes do not fit a block of FLAC's, of 16 MB")
            }
            let mark: UInt32 = number == blocks.count - 1 ? 0x80 : 0
            bytes.append(big: (mark | UInt32(block.type)) << 24 | UInt32(block.contents.count))
            bytes.append(raw: block.contents)
        }
        return bytes.bytes
    }

    static func streamInfo(_ info: FLAC__StreamMetadata_StreamInfo, frames: Int64) -> [UInt8] {
        var bytes = HeaderBytes()
        bytes.append(big: UInt16(truncatingIfNeeded: info.min_blocksize))
        bytes.append(big: UInt16(truncatingIfNeeded: info.max_blocksize))
        bytes.append(big: info.min_framesize << 8 | info.max_framesize >> 16)
        bytes.append(big: UInt16(truncatingIfNeeded: info.max_framesize))
        let format =
            UInt64(info.sample_rate) << 8 | UInt64(info.channels - 1) << 5 | UInt64(info.bits_per_sample - 1)
        bytes.append(big: format << 36 | UInt64(frames))
        bytes.append(raw: unsafe withUnsafeBytes(of: info.md5sum) { unsafe Array($0) })
        return bytes.bytes
    }
}
