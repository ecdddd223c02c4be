// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The trims of an MPEG-4 file: its statements about the start and end of the audio, combined into a packet table.
struct MP4Trims {
    var edits = MP4Edits()
    /// The note of iTunes in frames, if there is one.
    var gapless: MP4GaplessNote?
    /// The time scales of the movie and the track, in units per second.
    var movieTimescale: Int64 = 0
    var timescale: Int64 = 0
    /// The duration of all packets, in the track's time scale; nil if unknown.
    var mediaDuration: Int64?

    /// The packet table of a track with `packets` packets.
    ///
    /// - Parameter claimedPackets: The number of packets that the tables promise; some may be missing.
    func packetTable(
        of format: AudioStreamBasicDescription, packets: Int64, claimedPackets: Int64
    ) -> PacketTable {
        let framesPerPacket = Int64(format.mFramesPerPacket)
        let total = Self.product(packets, framesPerPacket)
        let claimed = Self.product(claimedPackets, framesPerPacket)
        let (priming, end) = bounds(claimedFrames: claimed, format: format)
        let first = min(priming, total)
        let valid = min(max(end, first), total) - first
        return PacketTable(
            primingFrames: first, validFrames: valid, remainderFrames: total - first - valid)
    }

    /// The first frame of audio and the first frame after the audio, counted from the start of the first packet.
    private func bounds(
        claimedFrames: Int64, format: AudioStreamBasicDescription
    ) -> (priming: Int64, end: Int64) {
        let framesPerPacket = Int64(format.mFramesPerPacket)
        if let gapless, let exact = gapless.scaled(to: claimedFrames, within: framesPerPacket) {
            return (exact.primingFrames, exact.primingFrames + exact.validFrames)
        }
        guard timescale > 0 else { return (0, claimedFrames) }
        let framesPerUnit = format.mSampleRate / Double(timescale)
        // A last packet with a shorter duration than the other packets is only partly audio.
        var mediaEnd = claimedFrames
        if let mediaDuration {
            let frames = Self.rounded(Double(mediaDuration) * framesPerUnit)
            if frames < claimedFrames, frames > claimedFrames - framesPerPacket { mediaEnd = frames }
        }
        guard edits.isPresent else { return (0, mediaEnd) }
        let start = Self.rounded(Double(edits.mediaTime) * framesPerUnit)
        guard edits.duration > 0, movieTimescale > 0 else { return (start, mediaEnd) }
        let framesPerTick = format.mSampleRate / Double(movieTimescale)
        let frames = Self.rounded(Double(edits.duration) * framesPerTick)
        let (end, overflow) = start.addingReportingOverflow(frames)
        guard !overflow else { return (start, mediaEnd) }
        // Most movies count in milliseconds; the end of the media is then more precise.
        let isSame = abs(Double(end) - Double(mediaEnd)) <= max(framesPerTick, 1)
        return (start, isSame && framesPerTick > 1 ? mediaEnd : min(end, mediaEnd))
    }

    /// Multiplies up to a limit, because fragments may promise any number of packets.
    private static func product(_ packets: Int64, _ frames: Int64) -> Int64 {
        let (product, overflow) = packets.multipliedReportingOverflow(by: frames)
        return overflow ? mostFrames : min(product, mostFrames)
    }

    private static func rounded(_ frames: Double) -> Int64 {
        frames < Double(mostFrames) ? Int64(frames.rounded()) : mostFrames
    }

    /// The limit of frames: more than any file has, but without overflow in sums.
    private static let mostFrames: Int64 = 1 << 60
}
