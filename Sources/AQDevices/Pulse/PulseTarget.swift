// SPDX-License-Identifier: MIT

/// The device of the stream that is made next: whether the server has it, and the channels of it that the client has
/// selected.
///
/// QUIRK: PipeWire accepts a stream for a device that does not exist. It plays or records another one, or never answers.
/// So each stream is made only after the server has described its device.
struct PulseTarget {
    /// The server's answer about the device.
    enum Answer {
        /// The next ``takeMap(for:)`` returns the map.
        case found
        case noDevice
        /// The device lacks one of the channels.
        case tooFew(DeviceError)
    }

    /// The device channel for each channel of the format, counted from 1; nil assigns channels by their labels.
    private(set) var numbers: [Int]?
    /// The map to the selected channels of the described device.
    private var chosen: PulseChannelMap?
    /// Whether the server has described the device.
    private var isFound = false
    /// Whether the server was asked for the device and has not answered.
    private(set) var isAsking = false

    init(_ numbers: [Int]?) { self.numbers = numbers }

    /// Assigns channels by their labels again, because another device is used.
    mutating func forgetChannels() { numbers = nil }

    /// The channel map for a stream about to be made; nil if the server must be asked first.
    mutating func takeMap(for format: SampleFormat) -> PulseChannelMap? {
        // The device of this name may be another one, or missing, when the next stream is made.
        defer { (isFound, chosen) = (false, nil) }
        guard isFound else { return nil }
        return numbers == nil ? format.pulseChannelMap : chosen
    }

    /// Records that the server is asked for the device. Returns false if a question is pending.
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
        if let numbers {
            guard let map = device.channelMap.choosing(numbers) else {
                return .tooFew(
                    DeviceError(
                        .unsupportedFormat,
                        "cannot use channel \(numbers.max() ?? 0) of '\(name ?? "the default device")', "
                            + "which has \(device.channelMap.positions.count)"))
            }
            chosen = map
        }
        isFound = true
        return .found
    }
}
