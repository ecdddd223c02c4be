/// Sending a stream's channels to, or taking them from, channels of the device that the client chose by their numbers.
struct PulseChannelChoice {
    /// What the server answered about the device.
    enum Answer {
        /// The next ``takeMap(for:)`` has the map.
        case found
        case noDevice
        /// The device has only so many channels.
        case tooFew(Int)
    }

    /// For each channel of the format the device's, counted from 1; nil goes by the labels.
    private(set) var numbers: [Int]?
    private var chosen: PulseChannelMap?
    /// Whether the server was asked for the device's channels and has not answered.
    private(set) var isAsking = false

    init(_ numbers: [Int]?) { self.numbers = numbers }

    /// Goes by the labels from now on, since the device is another one.
    mutating func forget() { numbers = nil }

    /// The channel map for a stream that is to be made now; nil if the device has to be asked first.
    mutating func takeMap(for format: SampleFormat) -> PulseChannelMap? {
        guard numbers != nil else { return format.pulseChannelMap }
        // The next stream may find another device of this name.
        defer { chosen = nil }
        return chosen
    }

    /// Whether the device is to be asked for its channels now.
    mutating func beginAsking() -> Bool {
        defer { isAsking = true }
        return !isAsking
    }

    /// The question was called off.
    mutating func endAsking() { isAsking = false }

    mutating func take(_ answer: PulseAnswer) -> Answer {
        isAsking = false
        guard let device = answer.device else { return .noDevice }
        guard let map = device.channelMap.choosing(numbers ?? []) else {
            return .tooFew(device.channelMap.positions.count)
        }
        chosen = map
        return .found
    }
}
