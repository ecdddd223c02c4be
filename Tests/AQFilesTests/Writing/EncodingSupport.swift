// SPDX-License-Identifier: MIT

import AQExpectations
import CoreAudioTypes
import Testing

@testable import AQFiles

#if HAVE_MPEG_AUDIO
import AQMPEGAudio
#endif

/// The types of files that are encoded here, and that this package can read.
enum Encoders {
    #if HAVE_MPEG_AUDIO
    static let hasMP3 = true
    #else
    static let hasMP3 = false
    #endif
    static let all: [AudioFileType] = (hasMP3 ? [.mp3] : []) + [.flac]
    static let ogg: [AudioFileType] = [.oggVorbis, .oggOpus]
}

extension AudioFileType {
    /// A rate that the encoder supports.
    var encodedRate: Double { self == .oggOpus ? 48_000 : 44_100 }
}

/// Audio for comparing encoders: a different tone in each channel.
struct Tones {
    var sampleRate: Double
    var channels: Int
    var frames: Int

    /// Interleaved, below half of full scale.
    var samples: [Float] {
        (0..<frames * channels).map { place in
            let (frame, channel) = (place / channels, place % channels)
            // Well below the low-pass of the lowest bit rate.
            let frequency = sampleRate / Double(60 + 10 * channel)
            return Float(0.4 * sine(frequency * Double(frame) / sampleRate))
        }
    }

    /// As samples to be appended.
    func bytes(bits: Int, isFloat: Bool) -> [UInt8] {
        guard !isFloat else { return unsafe samples.withUnsafeBytes { unsafe Array($0) } }
        let scale = Double(1 << (bits - 1))
        var bytes: [UInt8] = []
        for sample in samples {
            let whole = UInt32(bitPattern: Int32(Double(sample) * scale))
            bytes.append(UInt8(truncatingIfNeeded: whole))
            if bits > 8 { bytes.append(UInt8(truncatingIfNeeded: whole &>> 8)) }
            if bits > 16 { bytes.append(UInt8(truncatingIfNeeded: whole &>> 16)) }
            if bits > 24 { bytes.append(UInt8(truncatingIfNeeded: whole &>> 24)) }
        }
        return bytes
    }

    /// Whole periods; the tests' targets import no mathematics library but the system's.
    private func sine(_ turns: Double) -> Double {
        let phase = turns - turns.rounded(.down)
        // Bhaskara's approximation is a sufficient tone.
        let half = phase < 0.5 ? phase : phase - 0.5
        let value = 16 * half * (0.5 - half) / (1.25 - 4 * half * (0.5 - half))
        return phase < 0.5 ? value : -value
    }
}

extension AudioFileWriter {
    /// Appends in parts of odd sizes, and closes.
    func write(_ bytes: [UInt8], framesPerAppend: Int = 1001) throws {
        let step = framesPerAppend * Int(format.mBytesPerFrame)
        for start in stride(from: 0, to: bytes.count, by: step) {
            try append(Array(bytes[start..<min(start + step, bytes.count)]))
        }
        try close()
    }
}

/// The decoded audio of an MP3 file between priming and remainder.
func decodedMP3(_ path: String) throws -> [Float] {
    #if HAVE_MPEG_AUDIO
    let file = try AudioFile.open(path: path)
    let contents = try Contents(of: file)
    let channels = Int(file.format.mChannelsPerFrame)
    let decoder = try MPEGDecoder(
        sampleRate: Int(file.format.mSampleRate), channels: channels,
        samplesPerFrame: Int(file.format.mFramesPerPacket))
    var samples: [Float] = []
    var room = [Float](repeating: 0, count: decoder.maximumFramesPerPacket * channels)
    var place = 0
    for description in contents.descriptions {
        let packet = Array(contents.bytes[place..<place + Int(description.mDataByteSize)])
        place += packet.count
        let frames = try unsafe packet.withUnsafeBytes { packet in
            try unsafe room.withUnsafeMutableBufferPointer { try unsafe decoder.decode(packet, into: $0) }
        }
        samples += room.prefix(frames * channels)
    }
    let table = try #require(file.packetTable)
    expectEqual(decoder.damagedPackets, 0)
    return Array(
        samples.dropFirst(Int(table.primingFrames) * channels).prefix(Int(table.validFrames) * channels))
    #else
    throw AudioFileError(.unsupported, "built without MPEG audio")
    #endif
}

/// The power of the difference relative to the audio, without the ends, in decibels.
func signalToNoise(_ sound: [Float], _ decoded: [Float]) -> Double {
    var power = 0.0
    var noise = 0.0
    var place = 4000
    while place < min(sound.count, decoded.count) - 4000 {
        let (wanted, difference) = (sound[place], sound[place] - decoded[place])
        power += Double(wanted * wanted)
        noise += Double(difference * difference)
        place += 1
    }
    return decibels(power / max(noise, 1e-12))
}

private func decibels(_ ratio: Double) -> Double {
    // An approximate log10: three decibels for each doubling are sufficient.
    ratio <= 0 ? -.infinity : 3.0103 * (Double(ratio.exponent) + (ratio.significand - 1))
}
