import CoreAudioTypes

/// The limits of files, for reading and writing. Rates and channels are those of every valid description, so that
/// written files can be read. Devices have their own limits.
enum FormatLimits {
    static let channels = 1...AudioStreamBasicDescription.maximumChannels
    static let sampleRates = 1...AudioStreamBasicDescription.maximumSampleRate
    /// The most chunks read in a file, so that a file of empty chunks does not occupy a reader for long.
    static let mostChunks = 4096

    /// The unusable value in a header: "0 channels, not 1 to 1024"; nil if there is none, or it is not known.
    static func fault(sampleRate: Double?, channels: Int?) -> String? {
        if let channels, !(Self.channels ~= channels) {
            return "\(channels) channels, not 1 to \(Self.channels.upperBound)"
        }
        guard let sampleRate, !(sampleRates ~= sampleRate) else { return nil }
        let rate = Int64(exactly: sampleRate).map(String.init) ?? "\(sampleRate)"
        return "a rate of \(rate) Hz, not 1 to \(Int(sampleRates.upperBound))"
    }
}
