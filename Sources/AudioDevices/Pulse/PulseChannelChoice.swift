// SPDX-License-Identifier: MIT

/// The device channels that a client has selected by number for a stream's channels.
struct PulseChannelChoice {
    /// The server's answer about the device.
    enum Answer {
        /// The device has the channels; the next ``takeMap(for:)`` returns the map.
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

    /// Assigns channels by their labels again, because another device is used.
    mutating func forget() { numbers = nil }

    /// The channel map for a stream about to be made; nil if the server must be asked first.
    mutating func takeMap(for format: SampleFormat) -> PulseChannelMap? {
        guard numbers != nil else { return format.pulseChannelMap }
        // The device of this name may be another one when the next stream is made.
        defer { chosen = nil }
        return chosen
    }

    /// Records that the server is asked for the device's channels. Returns false if a question is pending.
    mutating func beginAsking() -> Bool {
        defer { isAsking = true }
        return !isAsking
    }

    /// Records that the question was cancelled.
    mutating func endAsking() { isAsking = false }

    /// Takes the server's answer about the device.
    ///
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
