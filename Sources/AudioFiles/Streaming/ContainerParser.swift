import CoreAudioTypes

/// What came of one step of a parser.
enum StreamStep {
    /// Something was used up or learnt: another step may do more.
    case again
    /// So many bytes must be at hand before another step can do anything.
    case needs(Int)
    /// Nothing that follows is of use.
    case done
}

/// Finds packets in a container whose bytes come one after another.
///
/// A parser keeps where it stands; bytes, facts and the way to the client are the core's.
protocol ContainerParser: AnyObject {
    /// Does one thing: reads one part of the header, or hands out one batch of packets. What makes the stream
    /// ready hands out none yet, so that whoever waits for that misses none.
    ///
    /// Called only with as many bytes at hand as the last step asked for, unless no more will come.
    func step(_ core: StreamCore) throws(AudioFileStreamError) -> StreamStep

    /// Where a packet begins, counted from the first byte of audio; nil if there is no such packet.
    func place(ofPacket packet: Int64, _ core: StreamCore) -> StreamPlace?

    /// Prepares for bytes that begin at a place which ``place(ofPacket:_:)`` gave.
    func resume(atPacket packet: Int64, _ place: StreamPlace, _ core: StreamCore)

    /// Prepares for bytes that begin at an unknown place; false if packets can no longer be told.
    func resumeAfterGap(_ core: StreamCore) -> Bool
}

/// A place for reading on.
struct StreamPlace {
    /// From the first byte of audio.
    var byteOffset: Int64
    /// True if the packet begins only near it.
    var isEstimated: Bool
}
