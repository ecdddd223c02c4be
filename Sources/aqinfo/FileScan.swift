// SPDX-License-Identifier: MIT

import AQCodecs
import AQFiles
import CoreAudioTypes

/// Reads a file once, from its first packet on, and reports the packets and the audio.
///
/// One pass serves all requests, because a pipe can only be read once.
struct FileScan {
    /// One packet.
    struct Packet: Equatable {
        var number: Int64
        var bytes: Int
        /// The frames of the packet; nil if the format does not state them.
        var frames: Int?
        /// The number of frames in all packets before this one.
        var startFrame: Int64
        /// The offset in the file; nil if it is unknown or was not requested.
        var byteOffset: Int64?
    }

    /// The result of a scan.
    struct Result: Equatable {
        var packets: Int64 = 0
        var bytes: Int64 = 0
        var largestPacketBytes = 0
        /// The number of frames in all packets, according to the format.
        var frames: Int64 = 0
        /// The number of decoded frames, without priming and remainder; nil if decoding was not requested.
        var audioFrames: Int64?
        /// The largest sample, linear.
        var peak: Float = 0
        var damagedPackets = 0
        /// The error that ended reading or decoding early.
        var failure: String?
        /// The reason why the audio cannot be decoded here at all, although it may be intact; nil if it can.
        var missingDecoder: String?
        /// Whether the samples are not those of the checksum that the file states.
        var hasOtherSamples = false
        /// Whether a callback ended the scan.
        var isCut = false
    }

    let file: AudioFile
    var decodes = false
    /// The closure for each packet; the scan ends if it returns false.
    var onPacket: ((Packet) -> Bool)?
    /// The closure for the audio: whole frames of interleaved samples.
    var onSound: ((Span<Float>) -> Void)?

    func run() -> Result {
        var result = Result()
        do {
            let sound = decodes ? try SoundDecoder(file: file) : nil
            try read(into: &result, sound)
        } catch let error as AudioFileError {
            result.failure = error.message
        } catch let error as CodecError {
            result.failure = error.message
            if error.code == .unsupportedFormat { result.missingDecoder = error.message }
        } catch {
            result.failure = "\(error)"
        }
        return result
    }

    private func read(into result: inout Result, _ sound: SoundDecoder?) throws {
        let batch = PacketBatch(file: file)
        var comparison = sound == nil ? nil : SampleComparison(file)
        defer {
            // Audio decoded before a failure counts too.
            if let sound {
                (result.audioFrames, result.peak) = (sound.frames, sound.peak)
                result.damagedPackets = sound.damagedPackets
            }
        }
        while true {
            try batch.read(from: result.packets)
            guard batch.packets > 0 else {
                result.hasOtherSamples = comparison?.isEqual == false
                return
            }
            for index in 0..<batch.packets {
                let (bytes, frames) = batch.packet(at: index)
                let packet = Packet(
                    number: result.packets, bytes: bytes, frames: frames, startFrame: result.frames,
                    byteOffset: onPacket == nil ? nil : try file.byteOffset(ofPacket: result.packets))
                result.packets += 1
                result.bytes &+= Int64(bytes)
                result.frames &+= Int64(frames ?? 0)
                result.largestPacketBytes = max(result.largestPacketBytes, bytes)
                if let onPacket, !onPacket(packet) {
                    result.isCut = true
                    return
                }
            }
            guard let sound else { continue }
            try unsafe batch.forEachRun { run in
                unsafe comparison?.add(run)
                try unsafe sound.decode(run) { samples in onSound?(samples) }
            }
        }
    }
}
