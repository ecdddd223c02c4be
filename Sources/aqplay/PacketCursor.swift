/// How far a track was read, and which of the frames read are to be heard.
struct PacketCursor: Equatable {
    /// The next packet to read.
    var packet: Int64
    /// Decoded frames from there on that nobody shall hear: the priming, or what a seek needs.
    var framesToDiscard: Int64
    /// Frames still to be heard; nil to the end of the file, wherever that is.
    var framesLeft: Int64?
    /// Those before, since the beginning or a seek.
    private(set) var framesHeard: Int64 = 0

    init(packet: Int64, framesToDiscard: Int64, framesLeft: Int64?) {
        (self.packet, self.framesToDiscard, self.framesLeft) = (packet, framesToDiscard, framesLeft)
    }

    /// What of a run of packets is heard.
    struct Audible: Equatable {
        var trimFramesAtStart: Int
        var trimFramesAtEnd: Int
        var frames: Int64
    }

    var isAtEnd: Bool { framesLeft == 0 }

    /// Moves past packets that were read.
    ///
    /// - Parameter frames: What they decode to.
    mutating func advance(packets: Int, frames: Int64) -> Audible {
        packet += Int64(packets)
        let discarded = min(framesToDiscard, frames)
        framesToDiscard -= discarded
        let rest = frames - discarded
        let heard = min(rest, framesLeft ?? rest)
        framesLeft = framesLeft.map { $0 - heard }
        framesHeard += heard
        return Audible(
            trimFramesAtStart: Int(discarded), trimFramesAtEnd: Int(rest - heard), frames: heard)
    }
}
