/// Connects a stream's channels to device channels that the client selected by number.
struct PulseChannelChoice {
    /// The server's answer about the device.
    enum Answer {
        /// The next ``takeMap(for:)`` has the map.
        case found
        case noDevice
        /// The device lacks one of the channels.
        case tooFew(DeviceError)
    }

    /// The device channel for each channel of the format, counted from 1; nil assigns channels by their labels.
    private(set) var numbers: [Int]?
    private var chosen: PulseChannelMap?
    /// Whether the server was asked for the device's channels and has not answered.
    private(set) var isAsking = false

    init(_ numbers: [Int]?) { self.numbers = numbers }

    /// Returns to labels, because the device is another one.
    mutating func forget() { numbers = nil }

    /// The channel map for a stream about to be made; nil if the server must be asked first.
    mutating func takeMap(for format: SampleFormat) -> PulseChannelMap? {
        guard numbers != nil else { return format.pulseChannelMap }
        // The next stream may find another device with this name.
        defer { chosen = nil }
        return chosen
    }

    /// Whether the server must be asked for the device's channels now.
    mutating func beginAsking() -> Bool {
        defer { isAsking = true }
        return !isAsking
    }

    /// Records that the question was cancelled.
    mutating func endAsking() { isAsking = false }

    /// - Parameter name: The name that the client gave for the device; nil for the default.
    mutating func take(_ answer: PulseAnswer, of name: String?) -> Answer {
        isAsking = false
        guard let device = answer.device else { return .noDevice }
        guard let numbers else { return .found }
        guard let map = device.channelMap.choosing(numbers) else {
            return .tooFew(
                DeviceError(
                    .unsupportedFormat,
                    "cannot use channel \(numbers.max() ?? 0) of '\(name ?? "the default device")', "
                        + "which has \(device.channelMap.positions.count)"))
        }
        chosen = map
        return .found
    }
}
