// SPDX-License-Identifier: MIT

/// The reading position in a track, and the frames that are audible from there.
struct PacketCursor: Equatable {
    /// The next packet to read.
    var packet: Int64
    /// The number of decoded frames that are discarded from the packet on: the priming, or frames before a seek's
    /// target.
    var framesToDiscard: Int64
    /// The number of remaining audible frames; nil for up to the end of the file.
    var framesLeft: Int64?
    /// The number of audible frames so far, since the beginning or a seek.
    private(set) var framesPlayed: Int64 = 0

    init(packet: Int64, framesToDiscard: Int64, framesLeft: Int64?) {
        (self.packet, self.framesToDiscard, self.framesLeft) = (packet, framesToDiscard, framesLeft)
    }

    /// The audible part of a run of packets.
    struct Audible: Equatable {
        var trimFramesAtStart: Int
        var trimFramesAtEnd: Int
        var frames: Int64
    }

    var isAtEnd: Bool { framesLeft == 0 }

    /// Advances past packets that were read.
    ///
    /// - Parameter frames: The number of frames that they decode to.
    mutating func advance(packets: Int, frames: Int64) -> Audible {
        packet += Int64(packets)
        let discarded = min(framesToDiscard, frames)
        framesToDiscard -= discarded
        let rest = frames - discarded
        let played = min(rest, framesLeft ?? rest)
        framesLeft = framesLeft.map { $0 - played }
        framesPlayed += played
        return Audible(
            trimFramesAtStart: Int(discarded), trimFramesAtEnd: Int(rest - played), frames: played)
    }
}
