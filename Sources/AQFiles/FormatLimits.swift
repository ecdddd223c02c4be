// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The limits of files, for reading and writing. All rates and channel counts of valid descriptions are allowed, so
/// that written files can be read. Devices have other limits.
enum FormatLimits {
    static let channels = 1...AudioStreamBasicDescription.maximumChannels
    static let sampleRates = 1...AudioStreamBasicDescription.maximumSampleRate
    /// The largest number of chunks read in a file, so that a file of empty chunks does not occupy a reader for long.
    static let mostChunks = 4096

    /// Describes an unusable value of a header, as in "0 channels, not 1 to 1024"; nil if there is none.
    static func fault(sampleRate: Double?, channels: Int?) -> String? {
        if let channels, !(Self.channels ~= channels) {
            return "\(channels) channels, not 1 to \(Self.channels.upperBound)"
        }
        guard let sampleRate, !(sampleRates ~= sampleRate) else { return nil }
        let rate = Int64(exactly: sampleRate).map(String.init) ?? "\(sampleRate)"
        return "a rate of \(rate) Hz, not 1 to \(Int(sampleRates.upperBound))"
    }
}
