/// Device channels that a client selects by number for the channels of its format.
enum ChannelNumbers {
    /// Checks a selection against the format, before any device is opened.
    ///
    /// - Throws: ``DeviceError/Code/unsupportedFormat``.
    static func validate(_ numbers: [Int]?, for format: SampleFormat) throws(DeviceError) {
        guard let numbers else { return }
        guard numbers.count == format.channels else {
            throw DeviceError(
                .unsupportedFormat,
                "cannot send \(format.channels) channels to \(numbers.count) channels of a device")
        }
        for number in numbers where !(1...SampleFormat.maximumChannels).contains(number) {
            throw DeviceError(
                .unsupportedFormat, "cannot use channel \(number) of a device: 1 to 32 are possible")
        }
    }

    /// The error for a selection of channels that the device does not have.
    static func missing(in numbers: [Int], device: String, channels: Int) -> DeviceError {
        let number = numbers.max() ?? 0
        return DeviceError(
            .unsupportedFormat, "cannot use channel \(number) of '\(device)', which has \(channels)")
    }
}

extension OutputStreamConfiguration {
    /// Checks that some device can support this.
    ///
    /// - Throws: ``DeviceError/Code/unsupportedFormat`` with the reason.
    func validate() throws(DeviceError) {
        try format.validate()
        try ChannelNumbers.validate(channelNumbers, for: format)
    }
}

extension InputStreamConfiguration {
    /// Checks that some device can support this.
    ///
    /// - Throws: ``DeviceError/Code/unsupportedFormat`` with the reason.
    func validate() throws(DeviceError) {
        try format.validate()
        try ChannelNumbers.validate(channelNumbers, for: format)
    }
}
