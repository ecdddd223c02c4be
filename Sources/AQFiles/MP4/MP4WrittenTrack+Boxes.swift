// SPDX-License-Identifier: MIT

import CoreAudioTypes

extension MP4WrittenTrack {
    /// The start of a fragmented file: its type, room for a header, and a movie whose samples are in fragments.
    func head(primingFrames: Int64, metadata: FileMetadata) -> [UInt8] {
        var bytes = fileType()
        bytes.appendBox("free") { $0.append(big: UInt64(0)) }
        bytes.appendBox("moov") {
            appendMovieHeader(&$0, frames: 0)
            $0.appendBox("trak") {
                appendTrackHeader(&$0, frames: 0)
                // Without a duration the edit is as long as the audio, however many fragments follow.
                appendEdit(&$0, start: primingFrames, frames: 0)
                appendMedia(&$0, frames: 0) {
                    for table in ["stts", "stsc", "stco"] as [StaticString] {
                        $0.appendFullBox(table) { $0.append(big: UInt32(0)) }
                    }
                    $0.appendFullBox("stsz") { $0.append(big: UInt64(0)) }
                }
            }
            $0.appendBox("mvex") {
                $0.appendFullBox("trex") {
                    for field in [1, 1, framesPerPacket, 0, 0] { $0.append(big: field) }
                }
            }
            $0.appendMetadata(metadata)
        }
        return bytes.bytes
    }

    /// The start of a file that is not readable before it is complete: its type, room for its index, and a data box
    /// that extends to the end.
    func plainHead(roomBytes: Int) -> [UInt8] {
        var bytes = fileType()
        if roomBytes > 0 { bytes.append(raw: free(bytes: roomBytes)) }
        bytes.append(big: UInt32(0))
        bytes.append("mdat")
        bytes.append(big: UInt64(0))
        return bytes.bytes
    }

    private func fileType() -> HeaderBytes {
        var bytes = HeaderBytes()
        bytes.appendBox("ftyp") {
            $0.append("M4A ")
            $0.append(big: UInt32(0x200))
            for brand in ["M4A ", "mp42", "isom", "iso5"] as [StaticString] { $0.append(brand) }
        }
        return bytes
    }

    /// A free box of at least eight bytes.
    private func free(bytes count: Int) -> [UInt8] {
        var bytes = HeaderBytes()
        bytes.appendBox("free") { $0.append(raw: [UInt8](repeating: 0, count: count - 8)) }
        return bytes.bytes
    }

    /// An index that fills its room, with a free box if necessary; nil if the index does not fit.
    func fitted(_ index: [UInt8], roomBytes: Int) -> [UInt8]? {
        let spareBytes = roomBytes - index.count
        return spareBytes >= 8 ? index + free(bytes: spareBytes) : spareBytes == 0 ? index : nil
    }

    /// The offset of the room for an index, or of ``dataHeader(end:roomBytes:)``: after the file's type.
    var fileTypeBytes: Int { 32 }

    /// A header that turns all bytes after it, up to `end`, into contents of a data box.
    func dataHeader(end: Int64, roomBytes: Int = 0) -> [UInt8] {
        var bytes = HeaderBytes()
        bytes.append(big: UInt32(1))
        bytes.append("mdat")
        bytes.append(big: end - Int64(fileTypeBytes + roomBytes))
        return bytes.bytes
    }

    func fragmentHead(number: UInt32, firstFrame: Int64, sizes: [UInt32], lastPacketFrames: Int64) -> [UInt8]
    {
        let isShort = lastPacketFrames < framesPerPacket
        let runBytes = 20 + sizes.count * (isShort ? 8 : 4)
        let fragmentBytes = 8 + 16 + 8 + 16 + 20 + runBytes
        var bytes = HeaderBytes()
        bytes.appendBox("moof") {
            $0.appendFullBox("mfhd") { $0.append(big: number) }
            $0.appendBox("traf") {
                // Offsets are relative to the fragment.
                $0.appendFullBox("tfhd", flags: 0x20000) { $0.append(big: UInt32(1)) }
                $0.appendFullBox("tfdt", version: 1) { $0.append(big: firstFrame) }
                $0.appendFullBox("trun", flags: isShort ? 0x301 : 0x201) {
                    $0.append(big: UInt32(sizes.count))
                    $0.append(big: UInt32(fragmentBytes + 8))
                    for (position, size) in sizes.enumerated() {
                        if isShort {
                            let isLast = position == sizes.count - 1
                            $0.append(big: isLast ? UInt32(lastPacketFrames) : framesPerPacket)
                        }
                        $0.append(big: size)
                    }
                }
            }
        }
        bytes.append(big: UInt32(8 + sizes.reduce(0) { $0 + Int($1) }))
        bytes.append("mdat")
        return bytes.bytes
    }

    /// The movie of a complete file.
    func index(
        of samples: MP4WrittenSamples, primingFrames: Int64, lastPacketFrames: Int64, remainderFrames: Int64,
        metadata: FileMetadata
    ) -> [UInt8] {
        let all = samples.count * Int64(framesPerPacket)
        let priming = min(primingFrames, all)
        let remainder = min(remainderFrames, all - priming)
        let valid = all - priming - remainder
        let mediaFrames = samples.count > 0 ? all - Int64(framesPerPacket) + lastPacketFrames : 0
        var bytes = HeaderBytes()
        bytes.appendBox("moov") {
            appendMovieHeader(&$0, frames: valid)
            $0.appendBox("trak") {
                appendTrackHeader(&$0, frames: valid)
                if valid > 0 { appendEdit(&$0, start: priming, frames: valid) }
                appendMedia(&$0, frames: mediaFrames) {
                    appendDurations(&$0, of: samples, lastPacketFrames: lastPacketFrames)
                    appendChunkTables(&$0, of: samples)
                }
            }
            var note: String?
            if isAAC, priming > 0 || remainder > 0 {
                note =
                    MP4GaplessNote(
                        primingFrames: priming, remainderFrames: remainder, validFrames: valid
                    ).text
            }
            $0.appendMetadata(metadata, gaplessNote: note)
        }
        return bytes.bytes
    }

    /// An upper estimate of an index's size for the given packets and chunks.
    func indexBytes(packets: Int, chunks: Int, metadata: FileMetadata) -> Int {
        // An empty index lacks an edit, the gapless note, and the table entries.
        let empty = index(
            of: MP4WrittenSamples(), primingFrames: 0, lastPacketFrames: 0, remainderFrames: 0,
            metadata: metadata)
        return empty.count + 1024 + 4 * packets + 8 * chunks
    }

    private func appendMovieHeader(_ bytes: inout HeaderBytes, frames: Int64) {
        bytes.appendFullBox("mvhd", version: 1) {
            $0.append(raw: [UInt8](repeating: 0, count: 16))
            $0.append(big: sampleRate)
            $0.append(big: frames)
            $0.append(big: UInt32(0x1_0000))
            $0.append(big: UInt16(0x100))
            $0.append(raw: [UInt8](repeating: 0, count: 10))
            $0.append(raw: Self.unityMatrix)
            $0.append(raw: [UInt8](repeating: 0, count: 24))
            $0.append(big: UInt32(2))
        }
    }

    private func appendTrackHeader(_ bytes: inout HeaderBytes, frames: Int64) {
        // The track is enabled, in the movie and in its preview.
        bytes.appendFullBox("tkhd", version: 1, flags: 7) {
            $0.append(raw: [UInt8](repeating: 0, count: 16))
            $0.append(big: UInt32(1))
            $0.append(big: UInt32(0))
            $0.append(big: frames)
            $0.append(raw: [UInt8](repeating: 0, count: 12))
            $0.append(big: UInt16(0x100))
            $0.append(big: UInt16(0))
            $0.append(raw: Self.unityMatrix)
            $0.append(big: UInt64(0))
        }
    }

    private func appendEdit(_ bytes: inout HeaderBytes, start: Int64, frames: Int64) {
        bytes.appendBox("edts") {
            $0.appendFullBox("elst", version: 1) {
                $0.append(big: UInt32(1))
                $0.append(big: frames)
                $0.append(big: start)
                $0.append(big: UInt32(0x1_0000))
            }
        }
    }

    private func appendMedia(
        _ bytes: inout HeaderBytes, frames: Int64, tables: (inout HeaderBytes) -> Void
    ) {
        bytes.appendBox("mdia") {
            $0.appendFullBox("mdhd", version: 1) {
                $0.append(raw: [UInt8](repeating: 0, count: 16))
                $0.append(big: sampleRate)
                $0.append(big: frames)
                // The language: undetermined.
                $0.append(big: UInt32(0x55C4_0000))
            }
            $0.appendFullBox("hdlr") {
                $0.append(big: UInt32(0))
                $0.append("soun")
                $0.append(raw: [UInt8](repeating: 0, count: 13))
            }
            $0.appendBox("minf") {
                $0.appendFullBox("smhd") { $0.append(big: UInt32(0)) }
                $0.appendBox("dinf") {
                    $0.appendFullBox("dref") {
                        $0.append(big: UInt32(1))
                        // The samples are in this file.
                        $0.appendFullBox("url ", flags: 1) { _ in }
                    }
                }
                $0.appendBox("stbl") {
                    $0.appendFullBox("stsd") {
                        $0.append(big: UInt32(1))
                        $0.append(raw: sampleEntry)
                    }
                    tables(&$0)
                }
            }
        }
    }

    private static let unityMatrix: [UInt8] =
        [0, 1, 0, 0] + [UInt8](repeating: 0, count: 12) + [0, 1, 0, 0] + [UInt8](repeating: 0, count: 12)
        + [0x40, 0, 0, 0]
}
