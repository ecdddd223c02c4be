/// What a library can be asked for, as far as it decides which runs are made.
public struct PeerTraits: Sendable, Equatable {
    /// Which of a buffer's length and the length of all of them: with only one of the two, runs that differ in the
    /// other are the same run.
    public enum Asks: Sendable { case period, total, both }

    /// This project's own.
    public static let ours = "audioqueue"
    /// The two that its latency is held against.
    public static let rivals = ["libpulse", "cubeb"]
    /// All that there are, also those that were not built here.
    public static let allNames =
        [ours] + rivals + ["sdl2", "soundio", "portaudio", "openal", "gstreamer", "pacat"]

    public var name: String
    public var asks: Asks
    /// How many streams its program plays at once.
    public var mostStreams: Int
    /// How many buffers its latency is, about, when it is asked for three: for settings of like latency.
    public var latencyInBuffers: Double

    /// Those of the program of that name, which says the same in its own code.
    public init(name: String) {
        self.name = name
        asks =
            switch name {
            case "cubeb", "soundio": .total
            case "sdl2": .period
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
            // The third is a reserve.
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

    /// What its library calls itself, for who reads.
    public var library: String {
        switch name {
        case Self.ours: "Audio Queue"
        case "sdl2": "SDL2"
        case "soundio": "libsoundio"
        case "portaudio": "PortAudio"
        case "openal": "OpenAL Soft"
        case "gstreamer": "GStreamer"
        default: name
        }
    }

    /// Whether its latency is sought in fine steps.
    public var isContender: Bool { isOurs || Self.rivals.contains(name) }
}
