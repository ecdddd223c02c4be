// SPDX-License-Identifier: MIT

/// The permanent differences between server types: tests query these, not the type.
public struct SoundServerTraits: Sendable {
    /// The part of a server that can crash independently.
    public var parts: [PulseServer.Part]
    /// Frames at the end of a late client's audio that may be held until more arrives.
    public var heldBackFrames: Int
    /// Frames of silence with which the server may begin a recording stream, while it links the nodes.
    public var silentFramesAtStart: Int
    /// Whether clients, and `pactl list`, are notified of a suspended sink.
    public var tellsOfSuspension: Bool
    /// How early a drain may be answered before the last frame is audible, in seconds.
    public var drainLeadSeconds: Double
    /// How far a time may be off that follows from the server's positions of playback, before they are known well.
    public var positionErrorSeconds: Double
    /// How far the time of a captured slice may be off.
    public var captureTimeErrorSeconds: Double

    public static let pulseAudio = SoundServerTraits(
        parts: [.everything], heldBackFrames: 0, silentFramesAtStart: 0,
        tellsOfSuspension: true, drainLeadSeconds: 0, positionErrorSeconds: 0.001,
        captureTimeErrorSeconds: 0.0002)
    public static let pipeWire = SoundServerTraits(
        parts: PulseServer.Part.allCases, heldBackFrames: 512, silentFramesAtStart: 2048,
        tellsOfSuspension: false, drainLeadSeconds: 0.05, positionErrorSeconds: 0.01,
        captureTimeErrorSeconds: 0.002)

    /// Those of the tested server.
    ///
    /// A server of an unknown name fails when it is started, with the reason.
    public static var chosen: SoundServerTraits {
        switch try? SoundServerKind.chosen() {
        case .pulseAudio, nil: .pulseAudio
        case .pipeWire: .pipeWire
        }
    }
}
