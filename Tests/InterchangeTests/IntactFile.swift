// SPDX-License-Identifier: MIT

import AQFiles
import CoreAudioTypes
import Foundation
import AQTestSupport

/// A file to damage, and the result of converting it undamaged.
struct IntactFile: Sendable {
    let name: String
    /// The name of a damaged copy.
    let pathExtension: String
    let bytes: [UInt8]
    /// The result of `aqconvert`.
    let converted: Data
    /// The detectable types of damage.
    let damages: [DamageKind]
    /// The offsets of packets; empty for samples, and if the reader does not report them.
    let packets: [Range<Int>]
    /// The offsets of types or lengths in headers.
    let chunkHeaders: [Range<Int>]
    /// Whether it contains only uncounted packets.
    var isStream: Bool { damages.contains(.packetHeader) }
    /// The bytes from the first packet or sample to the last.
    let audio: Range<Int>

    /// - Parameter make: Writes the file to a path.
    init(
        _ name: String, _ pathExtension: String, _ damages: [DamageKind], in folder: ScratchFolder,
        make: (String) throws -> Void
    ) throws {
        (self.name, self.pathExtension, self.damages) = (name, pathExtension, damages)
        let path = folder.file("intact.\(pathExtension)")
        defer { try? FileManager.default.removeItem(atPath: path) }
        try make(path)
        bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let wave = folder.file("intact-converted.wav")
        _ = try Tools.output("aqconvert", ["--no-metadata", "-y", path, wave])
        converted = try Data(contentsOf: URL(fileURLWithPath: wave))
        let file = try AudioFile.open(path: path)
        packets = try Self.packets(of: file)
        chunkHeaders = Self.chunkHeaders(of: file, pathExtension)
        audio = file.dataRange.map { Int($0.lowerBound)..<Int($0.upperBound) } ?? 0..<bytes.count
    }

    private static func packets(of file: AudioFile) throws -> [Range<Int>] {
        guard !file.format.isLinearPCM, !file.format.isG711 else { return [] }
        var memory = [UInt8](repeating: 0, count: max(file.packetSizeUpperBound, 1))
        var places = [AudioStreamPacketDescription](repeating: AudioStreamPacketDescription(), count: 1)
        var packets: [Range<Int>] = []
        while let offset = try file.byteOffset(ofPacket: Int64(packets.count)) {
            let read = try unsafe memory.withUnsafeMutableBytes { memory in
                try unsafe places.withUnsafeMutableBufferPointer { places in
                    try unsafe file.readPackets(
                        from: Int64(packets.count), into: memory, descriptions: places)
                }
            }
            guard read.packets == 1 else { break }
            // The bytes before a packet's data in ADTS are its header.
            packets.append(Int(offset)..<Int(offset) + read.bytes)
        }
        return packets
    }

    /// Types and lengths of all chunks; of optional chunks, lengths alone.
    private static func chunkHeaders(of file: AudioFile, _ pathExtension: String) -> [Range<Int>] {
        file.chunks.flatMap { chunk -> [Range<Int>] in
            let start = Int(chunk.offset)
            let isNeeded = needed.contains(chunk.type.description)
            let (type, length): (Range<Int>, Range<Int>) =
                switch pathExtension {
                case "caf": (0..<4, 4..<12)
                case "m4a", "mov", "mp4": (4..<8, 0..<4)
                case "w64": (0..<16, 16..<24)
                default: (0..<4, 4..<8)
                }
            return (isNeeded ? [type, length] : [length]).map {
                $0.lowerBound + start..<$0.upperBound + start
            }
        }
    }

    private static let needed: Set<String> = [
        "'RIFF'", "'RF64'", "'fmt '", "'data'", "'ds64'", "'FORM'", "'COMM'", "'SSND'", "'FVER'", "'desc'",
        "'ftyp'", "'moov'", "'mdat'", "'trak'", "'mdia'", "'minf'", "'stbl'", "'stsd'", "'stsz'", "'stco'",
        "'stsc'", "'stts'", "'mdhd'", "'hdlr'", "'mvhd'", "'tkhd'",
    ]
}

extension IntactFile {
    /// Every container and codec that can be written, and those that ffmpeg writes and we read.
    static func all(in folder: ScratchFolder) throws -> [IntactFile] {
        let wave = folder.file("source.wav")
        try Sound.music(channels: 2, sampleRate: 44_100).kept(as: .integer16)
            .writeWave(toPath: wave, as: .integer16)
        func own(
            _ data: String, _ type: String, _ damages: [DamageKind]
        ) throws -> IntactFile {
            try IntactFile("\(data) in \(type)", type == "rf64" ? "wav" : type, damages, in: folder) { path in
                _ = try Tools.output("aqconvert", ["-f", type, "-d", data, wave, path])
            }
        }
        func foreign(
            _ name: String, _ pathExtension: String, _ damages: [DamageKind], _ options: String...
        ) throws -> IntactFile {
            try IntactFile("\(name) by ffmpeg", pathExtension, damages, in: folder) { path in
                _ = try Tools.output(
                    "ffmpeg", ["-v", "error", "-nostdin", "-y", "-i", wave] + options + [path])
            }
        }
        let samples: [DamageKind] = [.cut, .removed, .chunkHeader]
        let packets: [DamageKind] = samples + [.zeroedPackets]
        let frames: [DamageKind] = [.cut, .removed, .zeroedPackets, .packetHeader]
        let checked: [DamageKind] = [.cut, .removed, .anyBytes]
        var files = try [("I16", "wav"), ("F32", "wav"), ("I16", "rf64"), ("I24", "w64"), ("I16", "aiff")]
            .map { try own($0, $1, samples) }
        files += try [("I16", "aifc"), ("F32", "aifc"), ("I24", "caf"), ("ulaw", "caf")]
            .map { try own($0, $1, samples) }
        files += try [("alac", "caf"), ("aac", "caf"), ("mp3", "caf"), ("aac", "m4a"), ("alac", "m4a")]
            .map { try own($0, $1, packets) }
        files += [try own("ima4", "caf", samples)]
        files += try [("aac", "aac"), ("mp3", "mp3")].map { try own($0, $1, frames) }
        files += [try own("flac", "flac", checked)]
        files += try [
            foreign("Vorbis", "ogg", checked, "-c:a", "libvorbis"),
            foreign("Opus", "opus", checked, "-c:a", "libopus"),
            foreign("FLAC", "flac", checked),
            foreign("AAC in fragments", "m4a", packets, "-movflags", "frag_keyframe+empty_moov"),
            foreign("16 bits", "mov", samples, "-c:a", "pcm_s16le"),
            foreign("MP3 without a count", "mp3", frames, "-write_xing", "0"),
        ]
        return files
    }
}
