// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The limit of the silence that replaces packets that cannot be decoded.
///
/// A lost packet keeps its duration. But a table of a few bytes can list millions of packets. Therefore the decoded
/// audio and the bytes in the lost packets limit the duration of silence.
struct SilenceAllowance {
    /// The number of frames of silence that are still allowed; negative once there were too many.
    private var frames: Int64 = 1 << 20
    /// The largest number of frames for a byte of a packet, above that of any codec: HE-AAC at 8 kbit/s has 44.
    static let mostFramesPerByte = 64

    /// Allows silence for frames that were decoded.
    mutating func add(decodedFrames: Int) { frames += Int64(decodedFrames) }

    /// Records the silence of a packet.
    ///
    /// - Returns: False if there was too much silence.
    mutating func take(silentFrames: Int, packetBytes: Int) -> Bool {
        frames -= Int64(max(0, silentFrames - packetBytes * Self.mostFramesPerByte))
        return frames >= 0
    }

    /// Returns the error of a stream that consists mostly of empty packets.
    static func failure(of format: AudioStreamBasicDescription, damagedPackets: Int) -> CodecError {
        CodecError(
            .decoderFailed, cannot: "decode", format,
            "\(damagedPackets) packets cannot be decoded, and are too "
                + "short for the frames that they stand for")
    }
}
