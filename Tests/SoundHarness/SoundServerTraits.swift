/// In what the kinds of servers differ for good: tests ask here, not which server it is.
public struct SoundServerTraits: Sendable {
    /// What of a server can die while the rest lives on.
    public var parts: [PulseServer.Part]
    /// Frames at the end of what a late client has written that may be held back until more comes.
    public var heldBackFrames: Int
    /// Whether a stream ends with the sink it plays on; otherwise the server keeps it for another sink.
    public var endsStreamsWithTheirSink: Bool
    /// Frames of silence with which the server may begin a recording stream, while it links it up.
    public var silentFramesAtStart: Int
    /// Whether clients, and `pactl list`, are told of a sink that was put to sleep.
    public var tellsOfSuspension: Bool
    /// How long before the last frame is heard a drain may be answered, in seconds.
    public var drainLeadSeconds: Double

    public static let pulseAudio = SoundServerTraits(
        parts: [.everything], heldBackFrames: 0, endsStreamsWithTheirSink: true, silentFramesAtStart: 0,
        tellsOfSuspension: true, drainLeadSeconds: 0)
    public static let pipeWire = SoundServerTraits(
        parts: PulseServer.Part.allCases, heldBackFrames: 512, endsStreamsWithTheirSink: false,
        silentFramesAtStart: 2048, tellsOfSuspension: false, drainLeadSeconds: 0.05)

    /// Those of the server that tests run against.
    ///
    /// A server of an unknown name fails when it is started, with the reason.
    public static var chosen: SoundServerTraits {
        switch try? SoundServerKind.chosen() {
        case .pulseAudio, nil: .pulseAudio
        case .pipeWire: .pipeWire
        }
    }
}
