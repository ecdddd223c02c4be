// SPDX-License-Identifier: MIT

import CoreAudioTypes
import AQMagicCookies
import AQTestSupport
import Testing

@testable import AQFiles

/// Tags and pictures for files.
enum SomeMetadata {
    static let tags = [
        AudioFileInformation("title", "Überraschung – 驚き"), AudioFileInformation("artist", "Ærlig & Søn"),
        AudioFileInformation("album", "A"), AudioFileInformation("composer", "Čapek"),
        AudioFileInformation("genre", "Noise"), AudioFileInformation("track number", "3/12"),
        AudioFileInformation("recorded date", "2026-11-21"), AudioFileInformation("comments", "one\ntwo"),
        AudioFileInformation("copyright", "© 2026"), AudioFileInformation("encoding application", "tests"),
        AudioFileInformation("album artist", "Others"), AudioFileInformation("tempo", "120"),
        AudioFileInformation("lyrics", "la\nla"), AudioFileInformation("mood", "calm"),
    ]

    /// A JPEG header of 500 by 400, and false syncs of MPEG audio in it.
    static func picture(bytes: Int) -> AudioFileArtwork {
        let head: [UInt8] =
            [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0x4A, 0x46, 0xFF, 0xC0, 0, 17, 8] + big(UInt16(400))
            + big(UInt16(500))
        let rest = noise(count: bytes - head.count - 3)
        return AudioFileArtwork(bytes: head + [0xFF, 0xFB, 0x90] + rest)
    }
}

/// Audio for a file type: PCM or packets.
struct SomeSound {
    let format: AudioStreamBasicDescription
    /// Blocks to append, and the packet sizes in each; empty for PCM.
    let blocks: [(bytes: [UInt8], packetBytes: [Int])]

    init(of type: AudioFileType, asPackets: Bool = false) throws {
        switch type {
        case .adts:
            format = try AudioSpecificConfig(sampleRate: 44_100, channels: 2).format
            blocks = (0..<6).map { number in
                let packets = (0..<5).map { ADTSBytes.payload(5 * number + $0) }
                return (packets.flatMap { $0 }, packets.map(\.count))
            }
        case .mp3 where asPackets:
            format = AudioStreamBasicDescription(
                mSampleRate: 44_100, mFormatID: kAudioFormatMPEGLayer3, mFormatFlags: 0, mBytesPerPacket: 0,
                mFramesPerPacket: 1152, mBytesPerFrame: 0, mChannelsPerFrame: 2, mBitsPerChannel: 0,
                mReserved: 0)
            blocks = (0..<6).map { _ in (MPEGBytes.packets(5), [Int](repeating: 417, count: 5)) }
        default:
            let kind = type.linearInput
            format = try type.pcmFormat(
                sampleRate: type.encodedRate, channels: 2, bits: kind.bits, isFloat: kind.isFloat)
            let samples = Tones(sampleRate: type.encodedRate, channels: 2, frames: 20_001)
                .bytes(bits: kind.bits, isFloat: kind.isFloat)
            let frameBytes = 2 * kind.bits / 8
            blocks = stride(from: 0, to: samples.count, by: 4000 * frameBytes).map {
                (Array(samples[$0..<min($0 + 4000 * frameBytes, samples.count)]), [])
            }
        }
    }

    func append(to writer: AudioFileWriter) throws {
        for number in blocks.indices { try append(block: number, to: writer) }
    }

    func append(block number: Int, to writer: AudioFileWriter) throws {
        let block = blocks[number]
        guard !block.packetBytes.isEmpty else { return try writer.append(block.bytes) }
        var start: Int64 = 0
        let descriptions = block.packetBytes.map { bytes in
            defer { start += Int64(bytes) }
            return AudioStreamPacketDescription(
                mStartOffset: start, mVariableFramesInPacket: 0, mDataByteSize: UInt32(bytes))
        }
        try unsafe block.bytes.withUnsafeBytes { bytes in
            try unsafe descriptions.withUnsafeBufferPointer { places in
                try unsafe writer.append(bytes, packetDescriptions: places)
            }
        }
    }
}

extension AudioFileType {
    fileprivate var linearInput: SampleKind { SampleKind(bits: self == .aiffC ? 24 : 16, isFloat: false) }
}

extension [AudioFileInformation] {
    /// In an unusual order: containers have their own.
    var byKey: [AudioFileInformation] { sorted { ($0.key, $0.value) < ($1.key, $1.value) } }
}
