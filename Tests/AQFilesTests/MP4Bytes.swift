// SPDX-License-Identifier: MIT

import CoreAudioTypes
import Glibc
import AQMagicCookies

@testable import AQFiles

/// MPEG-4 files written box by box, with any false field.
struct MP4File {
    var type: StaticString = "M4A "
    var timescale: UInt32 = 44100
    var movieTimescale: UInt32 = 1000
    /// The sample description; AAC-LC of two channels at 44.1 kHz.
    var entry = MP4File.aacEntry()
    var packets: [[UInt8]] = (0..<10).map { [UInt8](repeating: UInt8($0), count: 20 + $0) }
    var packetsPerChunk = 4
    /// Durations of packets, in runs.
    var durations: [(packets: UInt32, ticks: UInt32)]?
    /// Duration and start of each part of an edit list.
    var edits: [(duration: UInt32, start: Int32)] = []
    /// Boxes of the track after the others, and of the movie.
    var userData: [UInt8] = []
    var isIndexLast = false
    var hasLongOffsets = false
    /// Bits of a compact table of sizes; nil for the usual table.
    var sizeBits: UInt8?
    /// Replaces the sizes: one size for a number of samples.
    var commonSize: (bytes: UInt32, samples: UInt32)?
    /// Replaces the packets of each chunk.
    var samplesPerChunk: UInt32?
    /// Replaces the runs of chunks: the number of the first chunk, and the samples of each.
    var chunkRuns: [(first: UInt32, samples: UInt32)]?
    var handler: StaticString = "soun"
    var trackFlags: UInt32 = 7

    var audio: [UInt8] { packets.flatMap { $0 } }

    var bytes: [UInt8] {
        let fileType = box("ftyp") {
            $0.append(type)
            $0.append(big: UInt32(0))
        }
        let data = box("mdat") { $0.append(raw: audio) }
        if isIndexLast { return fileType + data + movie(audioOffset: fileType.count + 8) }
        let index = movie(audioOffset: 0)
        return fileType + movie(audioOffset: fileType.count + index.count + 8) + data
    }

    func movie(audioOffset: Int) -> [UInt8] {
        box("moov") {
            $0.appendFullBox("mvhd") {
                $0.append(big: UInt64(0))
                $0.append(big: movieTimescale)
                $0.append(raw: [UInt8](repeating: 0, count: 84))
            }
            $0.append(raw: track(audioOffset: audioOffset))
            $0.append(raw: userData)
        }
    }

    func track(audioOffset: Int) -> [UInt8] {
        box("trak") {
            $0.appendFullBox("tkhd", flags: trackFlags) {
                $0.append(big: UInt64(0))
                $0.append(big: UInt32(1))
                $0.append(raw: [UInt8](repeating: 0, count: 68))
            }
            if !edits.isEmpty {
                $0.appendBox("edts") {
                    $0.appendFullBox("elst") {
                        $0.append(big: UInt32(edits.count))
                        for edit in edits {
                            $0.append(big: edit.duration)
                            $0.append(big: edit.start)
                            $0.append(big: UInt32(0x1_0000))
                        }
                    }
                }
            }
            $0.appendBox("mdia") {
                $0.appendFullBox("mdhd") {
                    $0.append(big: UInt64(0))
                    $0.append(big: timescale)
                    $0.append(big: UInt64(0))
                }
                $0.appendFullBox("hdlr") {
                    $0.append(big: UInt32(0))
                    $0.append(handler)
                    $0.append(raw: [UInt8](repeating: 0, count: 13))
                }
                $0.appendBox("minf") { $0.append(raw: sampleTables(audioOffset: audioOffset)) }
            }
        }
    }

    private func sampleTables(audioOffset: Int) -> [UInt8] {
        let chunks = stride(from: 0, to: packets.count, by: packetsPerChunk).map { first in
            audioOffset + packets[..<first].reduce(0) { $0 + $1.count }
        }
        return box("stbl") {
            $0.appendFullBox("stsd") {
                $0.append(big: UInt32(1))
                $0.append(raw: entry)
            }
            $0.appendFullBox("stts") {
                let runs = durations ?? [(UInt32(packets.count), 1024)]
                $0.append(big: UInt32(runs.count))
                for run in runs {
                    $0.append(big: run.packets)
                    $0.append(big: run.ticks)
                }
            }
            $0.appendFullBox("stsc") {
                let last = samplesPerChunk == nil ? packets.count % packetsPerChunk : 0
                let usual = [(UInt32(1), samplesPerChunk ?? UInt32(packetsPerChunk))]
                let runs = chunkRuns ?? (last == 0 ? usual : usual + [(UInt32(chunks.count), UInt32(last))])
                $0.append(big: UInt32(runs.count))
                for run in runs { for field in [run.first, run.samples, 1] { $0.append(big: field) } }
            }
            appendSizes(&$0)
            $0.appendFullBox(hasLongOffsets ? "co64" : "stco") {
                $0.append(big: UInt32(chunks.count))
                for chunk in chunks {
                    if hasLongOffsets { $0.append(big: UInt64(chunk)) } else { $0.append(big: UInt32(chunk)) }
                }
            }
        }
    }

    private func appendSizes(_ bytes: inout HeaderBytes) {
        if let sizeBits {
            bytes.appendFullBox("stz2") {
                $0.append(big: UInt32(sizeBits))
                $0.append(big: UInt32(packets.count))
                if sizeBits == 4 {
                    for place in stride(from: 0, to: packets.count, by: 2) {
                        let second = place + 1 < packets.count ? packets[place + 1].count : 0
                        $0.append(big: UInt8(packets[place].count << 4 | second))
                    }
                    return
                }
                for packet in packets {
                    if sizeBits == 8 {
                        $0.append(big: UInt8(packet.count))
                    } else {
                        $0.append(big: UInt16(packet.count))
                    }
                }
            }
            return
        }
        bytes.appendFullBox("stsz") {
            $0.append(big: commonSize?.bytes ?? 0)
            $0.append(big: commonSize?.samples ?? UInt32(packets.count))
            if commonSize == nil { for packet in packets { $0.append(big: UInt32(packet.count)) } }
        }
    }

    private func box(_ type: StaticString, _ contents: (inout HeaderBytes) -> Void) -> [UInt8] {
        MP4File.box(type, contents)
    }

    static func box(_ type: StaticString, _ contents: (inout HeaderBytes) -> Void) -> [UInt8] {
        var bytes = HeaderBytes()
        bytes.appendBox(type, contents)
        return bytes.bytes
    }

    /// The audio sample description that QuickTime and ISO share.
    static func entry(
        _ type: StaticString, channels: UInt16 = 2, bits: UInt16 = 16, rate: UInt32 = 44100,
        boxes: [UInt8] = []
    ) -> [UInt8] {
        box(type) {
            $0.append(raw: [0, 0, 0, 0, 0, 0, 0, 1])
            $0.append(big: UInt64(0))
            $0.append(big: channels)
            $0.append(big: bits)
            $0.append(big: UInt32(0))
            $0.append(big: rate << 16)
            $0.append(raw: boxes)
        }
    }

    /// AAC-LC of two channels at 44.1 kHz, or of any other configuration.
    static func aacEntry(config: [UInt8] = [0x12, 0x10]) -> [UInt8] {
        let descriptor = ElementaryStreamDescriptor(decoderSpecificInfo: config)
        let esds = box("esds") {
            $0.append(big: UInt32(0))
            $0.append(raw: descriptor.bytes)
        }
        return entry("mp4a", boxes: esds)
    }

    /// The iTunes user data: complete items.
    static func metadata(_ items: [UInt8]...) -> [UInt8] {
        box("udta") {
            $0.appendFullBox("meta") {
                $0.appendBox("ilst") { for item in items { $0.append(raw: item) } }
            }
        }
    }

    /// An item of text whose name begins with the sign of copyright.
    static func item(_ letters: StaticString, _ text: String) -> [UInt8] {
        var bytes = box("\0\0\0\0") {
            $0.appendBox("data") {
                $0.append(big: UInt64(1) << 32)
                $0.append(raw: Array(text.utf8))
            }
        }
        bytes[4] = 0xA9
        for place in 0..<3 { bytes[5 + place] = unsafe letters.utf8Start[place] }
        return bytes
    }

    /// An item with its own name.
    static func freeForm(_ name: String, _ text: String) -> [UInt8] {
        box("----") {
            $0.appendFullBox("mean") { $0.append(raw: Array("com.apple.iTunes".utf8)) }
            $0.appendFullBox("name") { $0.append(raw: Array(name.utf8)) }
            $0.appendBox("data") {
                $0.append(big: UInt64(1) << 32)
                $0.append(raw: Array(text.utf8))
            }
        }
    }
}

/// Opens bytes as a pipe.
func openPiped(_ bytes: [UInt8]) throws -> AudioFile {
    var ends: [CInt] = [-1, -1]
    _ = unsafe pipe(&ends)
    defer { close(ends[0]) }
    // All at once: the tests' pipes fit the system's buffer.
    _ = unsafe bytes.withUnsafeBytes { unsafe write(ends[1], $0.baseAddress, $0.count) }
    close(ends[1])
    return try AudioFile.open(path: "/dev/fd/\(ends[0])")
}
