import CoreAudioTypes

/// The limits of files, read or written. Rates and channels are those of every valid description, so that what is
/// written can be read. Devices have limits of their own.
enum FormatLimits {
    static let channels = 1...AudioStreamBasicDescription.maximumChannels
    static let sampleRates = 1...AudioStreamBasicDescription.maximumSampleRate
    /// The chunks of a file that are read. A file of nothing but empty chunks must not keep a reader for long.
    static let mostChunks = 4096

    /// What of a header's word nobody can use: "0 channels, not 1 to 1024"; nil if nothing, or if it is not known.
    static func fault(sampleRate: Double?, channels: Int?) -> String? {
        if let channels, !(Self.channels ~= channels) {
            return "\(channels) channels, not 1 to \(Self.channels.upperBound)"
        }
        guard let sampleRate, !(sampleRates ~= sampleRate) else { return nil }
        let rate = Int64(exactly: sampleRate).map(String.init) ?? "\(sampleRate)"
        return "a rate of \(rate) Hz, not 1 to \(Int(sampleRates.upperBound))"
    }
}
