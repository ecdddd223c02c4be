import CPulse

extension DeviceError {
    /// An error with PulseAudio's own words for its number.
    static func pulse(_ code: Code, _ attempt: String, errorNumber: Int32) -> DeviceError {
        let words = unsafe pa_strerror(errorNumber).map { unsafe String(cString: $0) } ?? "unknown error"
        return DeviceError(code, "\(attempt): \(words.lowercased()) (PulseAudio error \(errorNumber))")
    }
}
