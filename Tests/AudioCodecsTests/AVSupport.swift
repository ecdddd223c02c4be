#if HAVE_AV_CODECS
import AudioCodecs
import CoreAudioTypes
import Glibc

/// Packets as an encoder gives them, with what a decoder needs for them.
struct EncodedSound {
    var format: AudioStreamBasicDescription
    var cookie: [UInt8]
    var packets: [[UInt8]] = []
    var primingFrames: Int
    var remainderFrames = 0

    var frames: Int {
        packets.count * Int(format.mFramesPerPacket) - primingFrames - remainderFrames
    }

    /// Encodes samples that are given in pieces of `pieceFrames` frames.
    init(_ encoder: any PacketEncoder, _ bytes: [UInt8], pieceFrames: Int = 1000) throws {
        format = encoder.outputFormat
        cookie = encoder.magicCookie
        primingFrames = encoder.primingFrames
        let piece = pieceFrames * Int(encoder.inputFormat.mBytesPerFrame)
        var offset = 0
        while offset < bytes.count {
            let end = min(bytes.count, offset + piece)
            try unsafe bytes[offset..<end].withUnsafeBytes { try unsafe encoder.append($0) }
            offset = end
            try takePackets(of: encoder)
        }
        try encoder.finish()
        try takePackets(of: encoder)
        remainderFrames = encoder.remainderFrames
    }

    private mutating func takePackets(of encoder: any PacketEncoder) throws {
        var room = [UInt8](repeating: 0, count: encoder.maximumPacketSize)
        while let packet = try unsafe room.withUnsafeMutableBytes({ try unsafe encoder.nextPacket(into: $0) })
        {
            packets.append(Array(room[..<packet.bytes]))
        }
    }

    /// Decodes all packets, and trims nothing.
    func decoded() throws -> (bytes: [UInt8], format: AudioStreamBasicDescription, damaged: Int) {
        let decoder = try makePacketDecoder(for: format, magicCookie: cookie)
        var bytes: [UInt8] = []
        for packet in packets { bytes += try decoder.decoded(packet) }
        return (bytes, decoder.outputFormat, decoder.damagedPackets)
    }

    /// Decodes all packets, without priming and remainder.
    func trimmed() throws -> [UInt8] {
        let (bytes, format, _) = try decoded()
        let frameBytes = Int(format.mBytesPerFrame)
        return Array(bytes.dropFirst(primingFrames * frameBytes).dropLast(remainderFrames * frameBytes))
    }
}

extension PacketDecoder {
    /// The frames of one packet.
    func decoded(_ packet: [UInt8]) throws -> [UInt8] {
        var output = [UInt8](
            repeating: 0xA5, count: maximumFramesPerPacket * Int(outputFormat.mBytesPerFrame))
        let frames = try unsafe packet.withUnsafeBytes { packet in
            try unsafe output.withUnsafeMutableBytes { try unsafe decode(packet, into: $0) }
        }
        return Array(output[..<(frames * Int(outputFormat.mBytesPerFrame))])
    }
}

/// A sound of which every frame differs from its neighbours, and every channel from the others.
enum TestSound {
    /// Two tones a channel and a little noise, at half of full scale, -1 to 1.
    static func samples(frames: Int, channels: Int, sampleRate: Double) -> [Double] {
        var noise = LinearNoise(seed: 7)
        var samples: [Double] = []
        samples.reserveCapacity(frames * channels)
        for frame in 0..<frames {
            for channel in 0..<channels {
                // The fourth of six is for low frequencies, and AAC codes nothing else there.
                let low = channels >= 6 && channel == 3 ? 0.02 : 1.0
                let tone = sampleRate / 40 * (1 + 0.13 * Double(channel)) * low
                let phase = 2 * Double.pi * Double(frame) / sampleRate
                // The swell tells one period of the tones from another.
                let swell = 0.6 + 0.4 * sin(phase * sampleRate / 5000 + Double(channel))
                samples.append(
                    (0.35 * sin(phase * tone) + 0.1 * sin(phase * tone * 1.7)) * swell
                        + 0.002 * noise.next() * low)
            }
        }
        return samples
    }

    static func floats(_ samples: [Double]) -> [UInt8] {
        samples.flatMap { unsafe withUnsafeBytes(of: Float($0)) { unsafe Array($0) } }
    }

    /// Integers of 2, 3 or 4 bytes.
    static func integers(_ samples: [Double], bits: Int) -> [UInt8] {
        let scale = Double(1 << (bits - 1))
        return samples.flatMap { sample in
            let value = Int32(min(max((sample * scale).rounded(), -scale), scale - 1)).littleEndian
            return unsafe withUnsafeBytes(of: value) { unsafe Array($0.prefix(bits / 8)) }
        }
    }

    /// The samples of an encoding as numbers from -1 to 1.
    static func doubles(_ bytes: [UInt8], _ format: AudioStreamBasicDescription) -> [Double] {
        let width = Int(format.mBitsPerChannel) / 8
        return stride(from: 0, to: bytes.count - width + 1, by: width).map { offset in
            var word: UInt32 = 0
            for index in 0..<width {
                word |= UInt32(bytes[offset + index]) << UInt32(8 * (index + 4 - width))
            }
            if format.isFloat { return Double(Float(bitPattern: word)) }
            return Double(Int32(bitPattern: word)) * 0x1p-31
        }
    }
}

/// Numbers that are random enough, the same each time.
struct LinearNoise {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func word() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 24
    }

    /// From -1 to 1.
    mutating func next() -> Double { Double(Int64(word() & 0xFF_FFFF) - 0x80_0000) / 0x80_0000 }

    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: word()) }
    }
}

/// How near a decoded sound is to the one that was encoded.
enum Likeness {
    /// Signal to noise in decibels of `other` against `sound`, shifted by `shift` samples.
    static func decibels(_ sound: [Double], _ other: [Double], shift: Int = 0) -> Double {
        var signal = 0.0
        var noise = 0.0
        for index in max(0, -shift)..<min(sound.count, other.count - max(0, shift)) {
            let difference = other[index + shift] - sound[index]
            signal += sound[index] * sound[index]
            noise += difference * difference
        }
        return 10 * log10(max(signal, 1e-30) / max(noise, 1e-30))
    }

    /// The shift, in frames, at which both are nearest.
    static func bestShift(
        _ sound: [Double], _ other: [Double], channels: Int, within frames: Int = 8
    ) -> Int {
        (-frames...frames).max { first, second in
            decibels(sound, other, shift: first * channels)
                < decibels(sound, other, shift: second * channels)
        } ?? 0
    }
}
#endif
