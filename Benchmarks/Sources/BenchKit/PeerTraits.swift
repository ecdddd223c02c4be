// SPDX-License-Identifier: MIT

/// The properties of a library that determine which runs are made.
public struct PeerTraits: Sendable, Equatable {
    /// The sizes that a library accepts: one buffer, all buffers together, or both. If it accepts only one of them,
    /// settings that differ in the other are equal.
    public enum Asks: Sendable { case period, total, both }

    /// The peer of this project.
    public static let ours = "audioqueue"
    /// The program for the engine of this project, which is measured if it is named.
    public static let engine = "avaudioengine"
    /// The two libraries with which this project's latency is compared.
    public static let rivals = ["libpulse", "cubeb"]
    /// All peers, including those that were not built.
    public static let allNames =
        [ours] + rivals + ["sdl2", "soundio", "portaudio", "openal", "gstreamer", "pacat"]

    public var name: String
    public var asks: Asks
    /// The largest number of streams that the peer plays at once.
    public var mostStreams: Int
    /// The approximate latency in buffers if three buffers are requested. It is used to choose settings of equal
    /// latency.
    public var latencyInBuffers: Double

    /// Returns the traits of the peer with this name. The peer's own code contains the same values.
    public init(name: String) {
        self.name = name
        asks =
            switch name {
            case "cubeb", "soundio": .total
            case "sdl2", "audiounit", Self.engine: .period
            default: .both
            }
        mostStreams =
            switch name {
            case Self.ours, "libpulse", "cubeb": 256
            case "sdl2": 16
            default: 1
            }
        latencyInBuffers =
            switch name {
            case "cubeb": 2.25
            // The third buffer is a reserve.
            case Self.ours: 1.5
            case "pacat": 2.5
            case "sdl2": 1
            case "soundio": 3
            case "portaudio": 3.75
            case "openal": 4
            case "gstreamer": 2.3
            default: 2
            }
    }

    public var isOurs: Bool { name == Self.ours }

    /// The library's own name, for tables and plots.
    public var library: String {
        switch name {
        case Self.ours: "Audio Queue"
        case Self.engine: "AVAudioEngine"
        case "sdl2": "SDL2"
        case "soundio": "libsoundio"
        case "portaudio": "PortAudio"
        case "openal": "OpenAL Soft"
        case "gstreamer": "GStreamer"
        default: name
        }
    }

    /// Whether the lowest latency is searched for in fine steps.
    public var isContender: Bool { isOurs || Self.rivals.contains(name) }
}
