import CoreAudioTypes

/// Limits the silence that replaces packets that cannot be decoded.
///
/// A lost packet keeps its duration. But a table of a few bytes can list millions of packets, so the silence
/// is limited by the duration of the decoded audio, and by the number of bytes in the lost packets.
struct SilenceAllowance {
    /// The number of frames of silence that are still allowed; negative after too many.
    private var frames: Int64 = 1 << 20
    /// More than the frames of any codec in one byte: HE-AAC at 8 kbit/s has 44.
    private static let mostFramesPerByte = 64

    /// Counts frames that were decoded.
    mutating func add(decodedFrames: Int) { frames += Int64(decodedFrames) }

    /// Counts the silence of a packet.
    ///
    /// - Returns: False if it is too much.
    mutating func take(silentFrames: Int, packetBytes: Int) -> Bool {
        frames -= Int64(max(0, silentFrames - packetBytes * Self.mostFramesPerByte))
        return frames >= 0
    }

    /// The error of a stream that consists mostly of empty packets.
    static func failure(of format: AudioStreamBasicDescription, damagedPackets: Int) -> CodecError {
        CodecError(
            .decoderFailed, cannot: "decode", format,
            "\(damagedPackets) packets cannot be decoded, and are too "
                + "short for the frames that they stand for")
    }
}
