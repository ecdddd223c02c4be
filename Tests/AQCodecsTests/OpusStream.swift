// SPDX-License-Identifier: MIT

import AQCodecs
import AQFiles
import AQMagicCookies
import AQTestSupport
import CoreAudioTypes
import Glibc

/// The packets of an Ogg file, which this package's writer encodes through libopus.
struct OpusStream {
    /// The first packet.
    let cookie: [UInt8]
    /// The packets after both headers, of 20 ms each.
    let packets: [[UInt8]]
    let format: AudioStreamBasicDescription
    /// The frames before the audio.
    let priming: Int
    /// The interleaved samples that libsndfile decodes from the file, and the label of each channel.
    let reference: (samples: [Float], labels: [AudioChannelLabel])

    init(_ samples: [Float], channels: Int, sampleRate: Double, bitRate: Int? = nil) throws {
        let folder = ScratchFolder()
        let path = folder.file("a.opus")
        let pcm = try AudioFileType.oggOpus.pcmFormat(
            sampleRate: sampleRate, channels: channels, bits: 32, isFloat: true)
        let writer = try AudioFileWriter.create(path: path, type: .oggOpus, format: pcm)
        let bytes = rawBytes(of: samples)
        try unsafe bytes.withUnsafeBytes { try unsafe writer.append($0) }
        try writer.close()
        let all = Self.packets(ofOgg: SystemFile.contents(ofPath: path))
        cookie = all[0]
        packets = Array(all.dropFirst(2))
        format = .encoded(
            kAudioFormatOpus, framesPerPacket: Int(sampleRate) / 50, channels: channels,
            sampleRate: sampleRate)
        priming = try OpusHeader(bytes: cookie).preSkip * Int(sampleRate) / 48_000
        reference = try Self.decoded(path)
    }

    /// A tone for each channel, of a second.
    static func tones(channels: Int, sampleRate: Double) throws -> OpusStream {
        let samples = (0..<Int(sampleRate) * channels).map { index in
            let turns = Double(200 + 110 * (index % channels)) * Double(index / channels) / sampleRate
            return Float(0.4 * sin(2 * .pi * turns))
        }
        return try OpusStream(samples, channels: channels, sampleRate: sampleRate)
    }

    /// The packets of a stream that is alone in its file (RFC 3533).
    static func packets(ofOgg bytes: [UInt8]) -> [[UInt8]] {
        var (packets, rest, position) = ([[UInt8]](), [UInt8](), 0)
        while position + 27 <= bytes.count {
            let sizes = bytes[position + 27..<position + 27 + Int(bytes[position + 26])]
            position += 27 + sizes.count
            for size in sizes {
                rest += bytes[position..<position + Int(size)]
                position += Int(size)
                if size < 255 {
                    packets.append(rest)
                    rest = []
                }
            }
        }
        return packets
    }

    private static func decoded(_ path: String) throws -> ([Float], [AudioChannelLabel]) {
        let file = try AudioFile.open(path: path)
        var room = [UInt8](repeating: 0, count: 1 << 16)
        var bytes: [UInt8] = []
        var position: Int64 = 0
        while true {
            let read = try unsafe room.withUnsafeMutableBytes {
                try unsafe file.readPackets(
                    from: position, into: $0, descriptions: UnsafeMutableBufferPointer(start: nil, count: 0))
            }
            if read.packets == 0 { break }
            bytes += room[..<read.bytes]
            position += Int64(read.packets)
        }
        return (samples(Float.self, of: bytes), file.channelLabels)
    }

    func decoder(at sampleRate: Double? = nil) throws -> any PacketDecoder {
        var format = format
        if let sampleRate { format.mSampleRate = sampleRate }
        return try makePacketDecoder(for: format, magicCookie: cookie)
    }
}
