import CoreAudioTypes

/// Limits the silence that takes the place of packets that cannot be decoded.
///
/// A lost packet keeps its length in time. But a table of a few bytes can list packets by the million, so silence may
/// last only as long as the sound that was decoded, and as the bytes of the lost packets account for.
struct SilenceAllowance {
    /// Frames of silence that may still be given; negative once there were too many.
    private var frames: Int64 = 1 << 20
    /// More than any codec puts into a byte of sound: HE-AAC at 8 kbit/s has 44.
    private static let mostFramesPerByte = 64

    /// Counts frames that were decoded.
    mutating func add(decodedFrames: Int) { frames += Int64(decodedFrames) }

    /// Counts the silence given for a packet.
    ///
    /// - Returns: False if it is too much.
    mutating func take(silentFrames: Int, packetBytes: Int) -> Bool {
        frames -= Int64(max(0, silentFrames - packetBytes * Self.mostFramesPerByte))
        return frames >= 0
    }

    /// The error of a stream that is mostly packets with nothing in them.
    static func failure(of format: AudioStreamBasicDescription, damagedPackets: Int) -> CodecError {
        CodecError(
            .decoderFailed,
            "cannot decode \(format.encodingSummary): \(damagedPackets) packets cannot be decoded, and are too "
                + "short for the frames that they stand for")
    }
}
